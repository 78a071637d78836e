package io.prescale.controller.demo;

import io.prescale.controller.autoscaling.ForecastSettings;
import io.prescale.controller.plan.DayAhead;
import io.prescale.controller.simulation.cards.ReplicasAhead;
import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PathForecaster;
import io.prescale.forecasting.online.PathSettings;
import io.prescale.placement.ledger.Booking;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * What one service has booked: every quarter of an hour its next day is forecast anew, by models
 * that are fitted every six hours, in the background. Not thread-safe.
 */
final class NextDay {
  private static final Duration STEP = Duration.ofMinutes(15);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration WEEK = Duration.ofDays(7);
  private static final Duration REFITTED_EVERY = Duration.ofHours(6);
  private static final Duration REMEMBERED = Duration.ofDays(28);

  /** The quantiles are settled by the errors of so many days. */
  private static final int SETTLED_BY = 3;

  private final Workload workload;
  private final MetricStore scraped;
  private final Executor fits;
  private final ReplicasAhead replicas;
  private final CompletableFuture<PathForecaster> learned;
  private Instant observed;
  private Instant newest;
  private Instant refitted;
  private double peakRatio;

  /**
   * Begins to learn a history.
   *
   * @param fits runs fits; nothing waits for them
   * @param nodes where its pods may be
   */
  NextDay(
      Workload workload,
      MetricStore scraped,
      DemoSettings settings,
      Executor fits,
      Set<String> nodes) {
    this.workload = workload;
    this.scraped = scraped;
    this.fits = fits;
    this.replicas =
        new ReplicasAhead(
            workload.pods(),
            workload.capacityPerReplica(),
            workload.maxReplicas(),
            workload.settings().risk().shortagePrice(),
            nodes);
    this.observed = settings.start();
    this.newest = settings.start();
    this.refitted = settings.start();
    this.peakRatio = peakRatio(settings.start());
    var from = settings.historyStart();
    var forecast = workload.settings().forecast();
    learned = CompletableFuture.supplyAsync(() -> learn(from, settings.start(), forecast), fits);
  }

  private PathForecaster learn(Instant from, Instant to, ForecastSettings forecast) {
    var forecaster =
        new PathForecaster(
            from,
            new PathSettings(
                Simulation.MINUTE, STEP, DAY, forecast.zone(), forecast.calendar(), REMEMBERED, 1));
    var fit = to.minus(DAY.multipliedBy(SETTLED_BY));
    for (var at = from; at.isBefore(to); at = at.plus(Simulation.MINUTE)) {
      if (at.equals(fit)) {
        forecaster.refit();
        fit = fit.plus(DAY);
      }
      forecaster.observe(demand(at));
    }
    forecaster.refit();
    return forecaster;
  }

  private double peakRatio(Instant now) {
    var from = now.minus(WEEK);
    var week = scraped.range(workload.name(), from.plus(Simulation.MINUTE), now, Simulation.MINUTE);
    var values = week.stream().mapToDouble(Sample::value).toArray();
    return DayAhead.peakRatio(TimeSeries.of(from, Simulation.MINUTE, values), STEP);
  }

  /** The demand of a minute, which is scraped at its end; NaN where it was not. */
  private double demand(Instant minute) {
    var end = minute.plus(Simulation.MINUTE);
    return scraped.range(workload.name(), end, end, Simulation.MINUTE).stream()
        .mapToDouble(Sample::value)
        .findFirst()
        .orElse(Double.NaN);
  }

  /**
   * Takes in the minutes that have passed.
   *
   * @param lead from the creation of a replica until it serves
   * @return what is booked; empty when nothing is
   */
  Optional<Booking> pass(Instant now, Duration lead) {
    if (!learned.isDone()) {
      return Optional.empty();
    }
    var forecaster = learned.join();
    while (observed.isBefore(now)) {
      double demand = demand(observed);
      forecaster.observe(demand);
      observed = observed.plus(Simulation.MINUTE);
      newest = Double.isNaN(demand) ? newest : observed;
      if (forecaster.next().equals(observed) && !DayAhead.isStale(newest, observed)) {
        forecaster.forecast().ifPresent(path -> replicas.forecast(path, peakRatio, lead, observed));
      }
    }
    if (!refitted.plus(REFITTED_EVERY).isAfter(now)) {
      refitted = now;
      peakRatio = peakRatio(now);
      fits.execute(forecaster::refit);
    }
    return replicas.booking(now);
  }
}
