package io.prescale.controller.simulation.replay;

import io.prescale.controller.autoscaling.ForecastTrack;
import io.prescale.controller.autoscaling.IdleRule;
import io.prescale.controller.autoscaling.Outlook;
import io.prescale.controller.autoscaling.ReplicaChoice;
import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.autoscaling.ScalingDecision;
import io.prescale.controller.autoscaling.ScheduledChoice;
import io.prescale.controller.autoscaling.ServedValueChoice;
import io.prescale.controller.schedules.Schedules;
import io.prescale.forecasting.online.PeakForecaster;
import io.prescale.forecasting.online.PeakSettings;
import io.prescale.forecasting.online.QuantileForecast;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Prescale: the production forecaster, breaker and decision, fed minute by minute. Refits happen
 * where they are due, in line, so that a replay is deterministic.
 */
public final class Predictive implements ReplayPolicy {
  private final PeakSettings peak;
  private final int maxReplicas;
  private final ServedValueChoice choice;
  private final ScheduledChoice scheduled;
  private final ForecastTrack track;
  private final Schedules schedules;
  private final OtherSeries others;
  private @Nullable PeakForecaster forecaster;

  /** A policy that has seen nothing yet, with the usual caution and without schedules. */
  public Predictive(ReplaySettings settings, PeakSettings peak, Risk risk) {
    this(settings, peak, Caution.of(risk), Schedules.none(), OtherSeries.none());
  }

  /**
   * A policy that has seen nothing yet.
   *
   * @param peak what to forecast: by the minute, as far ahead and in as long a window as the replay
   *     scores
   * @param schedules floors and ceilings by the clock
   * @param others what its forecasts may learn from beside the demand
   */
  public Predictive(
      ReplaySettings settings,
      PeakSettings peak,
      Caution caution,
      Schedules schedules,
      OtherSeries others) {
    requireFitting(peak, settings);
    var risk = caution.risk();
    this.peak = peak;
    this.maxReplicas = settings.rules().maxReplicas();
    var replicas =
        new ReplicaChoice(
            settings.capacityPerReplica(), settings.rules().deadBand(), risk.startCost());
    var idle =
        settings.rules().minReplicas() == 0
            ? Optional.of(
                new IdleRule(settings.capacityPerReplica(), caution.atZero(), peak.calendar()))
            : Optional.<IdleRule>empty();
    this.scheduled =
        new ScheduledChoice(settings.capacityPerReplica(), settings.rules().deadBand());
    this.track = new ForecastTrack(peak.calendar(), risk.operatingLevel());
    this.schedules = settings.rules().reaching(schedules);
    this.others = others;
    this.choice =
        new ServedValueChoice(
            replicas,
            risk,
            peak.step(),
            settings.rules().scaleDown().stabilizationWindow(),
            caution.utilization(),
            idle,
            this::highest);
  }

  private static void requireFitting(PeakSettings peak, ReplaySettings settings) {
    var lead = Duration.ofMinutes(settings.leadMinutes());
    boolean fits =
        peak.step().equals(ReplaySettings.MINUTE)
            && Math.ceilDiv(peak.lead().toNanos(), ReplaySettings.MINUTE.toNanos())
                == settings.leadMinutes()
            && peak.window().equals(settings.window());
    if (!fits) {
      throw new IllegalArgumentException(
          "forecasts by %s of %s from %s ahead, for a replay by %s of %s from %s ahead"
              .formatted(
                  peak.step(),
                  peak.window(),
                  peak.lead(),
                  ReplaySettings.MINUTE,
                  settings.window(),
                  lead));
    }
  }

  @Override
  public String name() {
    return "Prescale";
  }

  @Override
  public Served next(View view) {
    PeakForecaster live = forecaster;
    if (live == null) {
      live = new PeakForecaster(view.time(), peak);
      live.borrowFrom(others.relatives());
      live.follow(others.leading());
      forecaster = live;
    } else {
      learn(live, view);
    }
    Optional<QuantileForecast> forecast = live.forecast();
    Outlook outlook = track.outlook(forecast, view.newest());
    ScalingDecision decision =
        scheduled.within(
            schedules.boundsAt(view.time(), peak.lead()),
            choice.decide(outlook, view.currentReplicas()),
            forecast,
            view.currentReplicas());
    Served served =
        Served.of(decision.servedValue())
            .because(
                new Rationale(decision, outlook.trusted(), forecast.map(QuantileForecast::parts)));
    return forecast
        .map(
            f ->
                served.with(
                    new Quantiles(
                        f.quantile(0.5), f.quantile(0.9), f.quantile(0.95), f.quantile(0.99))))
        .orElse(served);
  }

  private OptionalDouble highest(Instant from, Instant to) {
    PeakForecaster live = forecaster;
    return live == null ? OptionalDouble.empty() : live.highest(from, to);
  }

  private void learn(PeakForecaster live, View view) {
    var newest = view.newest();
    live.observe(newest.orElse(Double.NaN));
    track.settle(live);
    int most = schedules.boundsAt(live.next(), peak.lead()).most(maxReplicas);
    var begin = live.next().minus(peak.step());
    newest.ifPresent(demand -> choice.stepPassed(demand, view.readyReplicas(), most, begin));
    if (live.refitDue()) {
      live.adopt(live.refit().computeInParallel());
    }
    live.forecast().ifPresent(forecast -> track.made(forecast, live));
  }
}
