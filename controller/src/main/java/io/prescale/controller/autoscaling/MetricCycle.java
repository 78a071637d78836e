package io.prescale.controller.autoscaling;

import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.QuantileForecast;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** One metric's part of a {@link ScalingCycle}. Not thread-safe. */
final class MetricCycle {
  /** Observations older than this many steps are no ground for a decision. */
  private static final int STALE_STEPS = 3;

  private final TargetSettings settings;
  private final MetricSettings metric;
  private final Duration step;
  private final Executor executor;
  private final StepIntake intake;
  private final ReplicaChoice choice;
  private final @Nullable ShortfallFeedback feedback;
  private LiveForecaster live;
  private boolean observed;
  private @Nullable ServedValue served;
  private @Nullable ScalingDecision decision;

  MetricCycle(
      TargetSettings settings,
      MetricSettings metric,
      Duration lead,
      Instant start,
      Executor executor) {
    ForecastSettings forecast = settings.forecast();
    this.settings = settings;
    this.metric = metric;
    this.step = forecast.step();
    this.executor = executor;
    int remembered = Math.toIntExact(forecast.remember().dividedBy(step));
    this.intake = new StepIntake(step, start, remembered);
    this.choice = new ReplicaChoice(metric.capacityPerReplica(), settings.deadBand());
    this.feedback =
        settings.risk() instanceof Risk.Budget budget ? new ShortfallFeedback(budget, step) : null;
    this.live = forecaster(intake.next(), lead);
  }

  private LiveForecaster forecaster(Instant start, Duration lead) {
    return new LiveForecaster(
        settings.forecast(), lead, settings.risk().operatingLevel(), start, executor);
  }

  Instant observedUntil() {
    return intake.next();
  }

  void learn(TimeSeries history) {
    if (!history.step().equals(step)
        || Math.floorMod(history.start().toEpochMilli(), step.toMillis()) != 0) {
      throw new IllegalArgumentException(
          "the history of %s must have steps of %s that begin at multiples of it: %s"
              .formatted(metric.name(), step, history));
    }
    double[] demand =
        Arrays.stream(history.toArray())
            .map(value -> StepIntake.isDemand(value) ? value : Double.NaN)
            .toArray();
    if (!observed && history.start().isAfter(live.next())) {
      live = forecaster(history.start(), live.lead());
    }
    live.learn(TimeSeries.of(history.start(), step, demand));
    intake.skipTo(live.next());
    if (feedback != null) {
      Arrays.stream(demand)
          .filter(value -> !Double.isNaN(value))
          .forEach(value -> feedback.demandSeen(value / metric.capacityPerReplica()));
    }
  }

  MetricResult tick(Instant now, Reading reading, ReplicaState state) {
    live.adopt();
    follow(state.lead().total());
    return switch (reading) {
      case Reading.Missing missing -> result(Optional.of(missing));
      case Reading.Observed samples -> {
        if (observe(samples, now, state)) {
          serve(now, state.current());
          yield result(Optional.empty());
        }
        yield result(staleness(now));
      }
    };
  }

  /** A forecaster for another lead takes two fits, so small changes are passed over. */
  private void follow(Duration lead) {
    long wanted =
        Math.ceilDiv(settings.forecast().forLead(lead).lead().toMillis(), step.toMillis());
    long has = Math.ceilDiv(live.lead().toMillis(), step.toMillis());
    boolean longer = wanted > has && wanted >= 1.05 * has;
    boolean shorter = wanted < has && wanted <= 0.8 * has;
    if (!live.isRehearsing() && (longer || shorter)) {
      live.retarget(step.multipliedBy(wanted));
    }
  }

  /** Whether a new step was completed. */
  private boolean observe(Reading.Observed samples, Instant now, ReplicaState state) {
    var steps = intake.accept(samples.samples(), now);
    if (steps.values.length == 0) {
      return false;
    }
    if (!steps.start.equals(live.next())) { // longer unseen than is remembered
      live = forecaster(steps.start, live.lead());
    }
    for (double value : steps.values) {
      live.observe(value);
    }
    observed = true;
    if (feedback != null) {
      double capacity = metric.capacityPerReplica();
      double newest = live.newest();
      feedback.stepPassed(newest / capacity, newest > state.ready() * capacity);
    }
    return true;
  }

  private void serve(Instant now, int current) {
    double newest = live.newest();
    var forecast = live.forecast();
    var chosen =
        live.breaker().isClosed() ? choose(forecast, newest, current) : reactive(forecast, newest);
    decision = chosen;
    double value = chosen.servedValue();
    var plan =
        chosen.reason() == ScalingDecision.Reason.NOT_TRUSTED
            ? List.<ServedValue.Planned>of()
            : forecast
                .map(f -> plan().rises(ForecastSummary.of(f), value, now, settings.timeToLive()))
                .orElse(List.of());
    served = new ServedValue(value, newest, now, plan, step.multipliedBy(2), settings.timeToLive());
  }

  private ServingPlan plan() {
    return new ServingPlan(live, settings.forecast().calendar(), metric, settings.deadBand(), step);
  }

  private ScalingDecision choose(Optional<QuantileForecast> forecast, double newest, int current) {
    int atLeastOne = Math.max(1, current);
    return switch (settings.risk()) {
      case Risk.Budget _ ->
          choice.withBudget(forecast, newest, atLeastOne, feedback == null ? 0 : feedback.price());
      case Risk.ShortageCost cost -> choice.withShortageCost(forecast, newest, atLeastOne, cost);
    };
  }

  private ScalingDecision reactive(Optional<QuantileForecast> forecast, double newest) {
    var reactive = choice.withBudget(Optional.empty(), newest, 1, 0);
    return forecast.isEmpty()
        ? reactive
        : new ScalingDecision(
            reactive.servedValue(),
            reactive.desiredReplicas(),
            forecast.get().exceedance(reactive.servedValue()),
            ScalingDecision.Reason.NOT_TRUSTED);
  }

  private Optional<Reading.Missing> staleness(Instant now) {
    Duration age = Duration.between(intake.next(), now);
    return age.compareTo(step.multipliedBy(STALE_STEPS)) <= 0
        ? Optional.empty()
        : Optional.of(
            new Reading.Missing(
                Reading.Reason.STALE,
                "The newest usable sample of %s is older than %s."
                    .formatted(metric.name(), DecisionInWords.duration(age))));
  }

  private MetricResult result(Optional<Reading.Missing> missing) {
    return new MetricResult(
        metric.name(),
        observed ? OptionalDouble.of(live.newest()) : OptionalDouble.empty(),
        observed ? Optional.of(intake.next()) : Optional.empty(),
        Optional.ofNullable(served),
        Optional.ofNullable(decision),
        live.forecast().map(ForecastSummary::of),
        live.breaker().trust(),
        live.fittedAt(),
        live.isRehearsing(),
        missing);
  }
}
