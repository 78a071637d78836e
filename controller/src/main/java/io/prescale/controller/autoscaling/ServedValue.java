package io.prescale.controller.autoscaling;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The value of an external metric, and what to answer until there is a newer one.
 *
 * @param value never below {@code floor}
 * @param floor the newest completed observation; the value where a schedule keeps that below it
 * @param computedAt the time of the tick; the timestamp to answer with
 * @param plan values that become due later, ascending in time; each is at least {@code value}
 * @param freshFor as long after {@code computedAt} the value is fresh: two ticks
 * @param timeToLive as long after {@code computedAt} it is the last known good; then unknown
 */
public record ServedValue(
    double value,
    double floor,
    Instant computedAt,
    List<Planned> plan,
    Duration freshFor,
    Duration timeToLive) {

  /** A value and when it becomes due. */
  public record Planned(Instant at, double value) {
    /** What is due at the given time by a plan: never below a value. */
    static double due(double value, List<Planned> plan, Instant now) {
      return plan.stream()
          .filter(planned -> !planned.at().isAfter(now))
          .mapToDouble(Planned::value)
          .reduce(value, Math::max);
    }
  }

  public ServedValue {
    plan = List.copyOf(plan);
    if (!Double.isFinite(value) || value < 0 || !(value >= floor)) {
      throw new IllegalArgumentException(
          "served value must be a number that is not below the observed %s: %s"
              .formatted(floor, value));
    }
    for (Planned planned : plan) {
      if (!(planned.value() >= value) || !planned.at().isAfter(computedAt)) {
        throw new IllegalArgumentException(
            "a planned value must be later and not lower: %s after %s".formatted(planned, value));
      }
    }
  }

  /** What it comes to at the given time: the highest of it and the plan so far. */
  double at(Instant now) {
    return Planned.due(value, plan, now);
  }

  /** Whether it no longer stands. */
  boolean isOver(Instant now) {
    return now.isAfter(computedAt.plus(timeToLive));
  }
}
