package io.prescale.controller.demo;

import io.prescale.controller.plan.DayAhead;
import io.prescale.controller.simulation.cards.ReplicasAhead;
import io.prescale.forecasting.Sample;
import io.prescale.forecasting.online.PathForecaster;
import io.prescale.placement.ledger.Booking;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
  private static final Duration REFITTED_EVERY = Duration.ofHours(6);

  /** How many days of errors settle the quantiles. */
  private static final int SETTLED_BY = 3;

  private final Workload workload;
  private final MetricStore scraped;
  private final Executor fits;
  private final ReplicasAhead replicas;
  private final CompletableFuture<PathForecaster> learned;
  private Instant observed;
  private Instant newest;
  private Instant refitted;

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
    var from = settings.historyStart();
    this.observed =
        from.plus(STEP.multipliedBy(Duration.between(from, settings.start()).dividedBy(STEP)));
    this.newest = settings.start();
    this.refitted = settings.start();
    var end = observed;
    learned = CompletableFuture.supplyAsync(() -> learn(from, end), fits);
  }

  private PathForecaster learn(Instant from, Instant to) {
    var forecaster = DayAhead.forecaster(from, STEP, workload.settings().forecast());
    var fit = to.minus(DAY.multipliedBy(SETTLED_BY));
    for (var at = from; at.isBefore(to); at = at.plus(STEP)) {
      if (!at.isBefore(fit)) {
        forecaster.refit();
        fit = fit.plus(DAY);
      }
      forecaster.observe(highest(minutes(at)));
    }
    forecaster.refit();
    return forecaster;
  }

  /** The minutes of a step, each of which is scraped at its end. */
  private List<Sample> minutes(Instant step) {
    var first = step.plus(Simulation.MINUTE);
    return scraped.range(workload.name(), first, step.plus(STEP), Simulation.MINUTE).stream()
        .filter(it -> !Double.isNaN(it.value()))
        .toList();
  }

  private static double highest(List<Sample> minutes) {
    return minutes.stream().mapToDouble(Sample::value).max().orElse(Double.NaN);
  }

  /**
   * Takes in the steps that have passed.
   *
   * @param lead from the creation of a replica until it serves
   * @return what is booked; empty when nothing is
   */
  Optional<Booking> pass(Instant now, Duration lead) {
    if (!learned.isDone()) {
      return Optional.empty();
    }
    var forecaster = learned.join();
    while (!observed.plus(STEP).isAfter(now)) {
      var minutes = minutes(observed);
      forecaster.observe(highest(minutes));
      observed = observed.plus(STEP);
      newest = minutes.isEmpty() ? newest : minutes.getLast().time();
      if (!DayAhead.isStale(newest, observed)) {
        var ahead = lead.plus(workload.settings().forecast().window());
        forecaster.forecast().ifPresent(path -> replicas.forecast(path, ahead, observed));
      }
    }
    if (!refitted.plus(REFITTED_EVERY).isAfter(now)) {
      refitted = now;
      fits.execute(forecaster::refit);
    }
    return replicas.booking(now);
  }
}
