package io.prescale.controller.autoscaling;

import io.prescale.controller.autoscaling.ServedValue.Planned;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What an earlier leader served, by forecasts that it trusted, and what it planned. It stands until
 * this process knows as much, so that a change of leader lowers nothing.
 *
 * @param value the last one that was served
 * @param plan values that become due later, ascending in time
 * @param until when the value's time to live is over
 */
public record HandedOver(double value, List<Planned> plan, Instant until) {
  /** Longer than 2,000 metrics take to be learned from nothing on one core. */
  private static final Duration BESIDE_DEMAND = Duration.ofHours(1);

  public HandedOver {
    plan = List.copyOf(plan);
    if (!Double.isFinite(value) || value < 0) {
      throw new IllegalArgumentException("a handed-over value must be a demand: " + value);
    }
  }

  /** Whether it stands alone: as any value without new demand, for its time to live. */
  boolean standsAt(Instant now) {
    return now.isBefore(until);
  }

  /** Whether it stands beside new demand that is lower: for an hour more. */
  boolean standsBesideDemandAt(Instant now) {
    return standsAt(now.minus(BESIDE_DEMAND));
  }

  /** What is due at a time: never below what was served. */
  double at(Instant now) {
    return plan.stream()
        .filter(planned -> !planned.at().isAfter(now))
        .mapToDouble(Planned::value)
        .reduce(value, Math::max);
  }

  /** What is planned for later, above what is due now. */
  List<Planned> after(Instant now) {
    double due = at(now);
    return plan.stream()
        .filter(planned -> planned.at().isAfter(now) && planned.value() >= due)
        .toList();
  }
}
