package io.prescale.controller.autoscaling;

import io.prescale.controller.autoscaling.ServedValue.Planned;
import io.prescale.forecasting.EventCalendar;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * What to serve later if nothing new can be computed: the value rises as demand rose a day before
 * over the same time, and as declared events ask for. It never falls: without a view of demand, to
 * scale down would be a guess.
 */
final class ServingPlan {
  /** As many as the status holds. */
  static final int MOST_VALUES = 30;

  private static final Duration DAY = Duration.ofDays(1);
  private static final double LEAST_FACTOR = 0.01;
  private static final double ROUNDING = 1e-9;

  private final LiveForecaster history;
  private final EventCalendar calendar;
  private final double capacity;
  private final DeadBand deadBand;
  private final Duration step;

  ServingPlan(
      LiveForecaster history,
      EventCalendar calendar,
      MetricSettings metric,
      DeadBand deadBand,
      Duration step) {
    this.history = history;
    this.calendar = calendar;
    this.capacity = metric.capacityPerReplica();
    this.deadBand = deadBand;
    this.step = step;
  }

  /**
   * Rises above {@code value} within the time to live, in whole replicas that an HPA at {@code
   * value} would act on; at most {@value #MOST_VALUES}.
   */
  List<Planned> rises(ForecastSummary forecast, double value, Instant now, Duration timeToLive) {
    Duration every = step.multipliedBy(timeToLive.dividedBy(step.multipliedBy(MOST_VALUES)) + 1);
    var window = new Window(forecast);
    var peakNow = window.dayBefore(Duration.ZERO);
    double factorNow = window.factor(Duration.ZERO);
    var rises = new ArrayList<Planned>();
    double highest = value;
    for (Duration later = every; later.compareTo(timeToLive) <= 0; later = later.plus(every)) {
      double rise = rise(peakNow, window.dayBefore(later));
      double factor = factorNow < LEAST_FACTOR ? 1 : window.factor(later) / factorNow;
      double wanted = (value + rise) * Math.max(1, factor);
      double planned = inReplicas(wanted, value);
      if (planned > highest) {
        rises.add(new Planned(now.plus(later), planned));
        highest = planned;
      }
    }
    return rises;
  }

  /** The plan with a replica once the value is no longer fresh: what is unknown is never zero. */
  static List<Planned> awake(List<Planned> plan, Instant from, double replica) {
    var later =
        plan.stream().filter(it -> it.at().isAfter(from)).filter(it -> it.value() > replica);
    var sooner = plan.stream().filter(it -> !it.at().isAfter(from)).toList();
    boolean isAwake = sooner.stream().anyMatch(it -> it.value() >= replica);
    return Stream.of(
            sooner.stream(),
            isAwake ? Stream.<Planned>empty() : Stream.of(new Planned(from, replica)),
            later)
        .flatMap(it -> it)
        .limit(MOST_VALUES)
        .toList();
  }

  private static double rise(OptionalDouble from, OptionalDouble to) {
    return from.isPresent() && to.isPresent()
        ? Math.max(0, to.getAsDouble() - from.getAsDouble())
        : 0;
  }

  private double inReplicas(double wanted, double value) {
    if (wanted <= value * (1 + ROUNDING)) {
      return value;
    }
    int from = Math.max(1, HpaRules.replicasFor(value, capacity));
    int replicas = HpaRules.replicasFor(wanted, capacity);
    while (replicas > from && deadBand.holds(replicas, from)) {
      replicas++;
    }
    return Math.max(value, replicas * capacity);
  }

  /** The window that the forecast is about, and later ones. */
  private final class Window {
    private final Instant from;
    private final Instant to;
    private final Duration back;

    Window(ForecastSummary forecast) {
      this.from = forecast.origin().plus(forecast.lead());
      this.to = from.plus(forecast.window());
      long ahead = forecast.lead().plus(forecast.window()).toMillis();
      this.back = DAY.multipliedBy(Math.ceilDiv(ahead, DAY.toMillis()));
    }

    OptionalDouble dayBefore(Duration later) {
      Duration shift = later.minus(back);
      return history.highest(from.plus(shift), to.plus(shift));
    }

    double factor(Duration later) {
      double factor = 0;
      for (Instant t = from.plus(later); t.isBefore(to.plus(later)); t = t.plus(step)) {
        factor = Math.max(factor, calendar.factorAt(t));
      }
      return factor;
    }
  }
}
