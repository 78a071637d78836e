package io.prescale.controller.autoscaling;

import io.prescale.controller.autoscaling.ServedValue.Planned;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What an earlier leader served, by forecasts that it trusted, and what it planned. It stands until
 * this process knows as much, so that a change of leader lowers nothing; at the latest until its
 * time to live is over, and an hour longer where demand is known.
 *
 * @param value the last one that was served
 * @param plan values that become due later, ascending in time
 * @param until when the value's time to live is over
 * @param followed whether its forecast followed a leading series
 * @param maybeAhead whether replicas may wait for demand that is still to come
 */
public record HandedOver(
    double value, List<Planned> plan, Instant until, boolean followed, boolean maybeAhead) {
  /** Beyond this, what has fallen may be let go; the first fits of 2,000 take 36 minutes. */
  private static final Duration AS_A_FLOOR = Duration.ofHours(1);

  public HandedOver {
    plan = List.copyOf(plan);
    if (!Double.isFinite(value) || value < 0) {
      throw new IllegalArgumentException("a handed-over value must be a demand: " + value);
    }
  }

  /** The same, of which nothing waits for later demand. */
  public HandedOver notAhead() {
    return new HandedOver(value, plan, until, followed, false);
  }

  boolean standsAt(Instant now) {
    return now.isBefore(until);
  }

  /** Whether known demand below it is not followed yet. What a schedule demanded is no floor. */
  boolean isFloorAt(Instant now) {
    return now.isBefore(maybeAhead ? until.plus(AS_A_FLOOR) : until);
  }

  /** Whether it rests on what this process has not learned yet: forecasts, or a series followed. */
  boolean knowsMoreThan(MetricForecast own) {
    return switch (own.trust().state()) {
      case LEARNING -> true;
      case CLOSED ->
          followed && own.forecast().filter(it -> !it.parts().leading().isEmpty()).isEmpty();
      case OPEN -> false;
    };
  }

  /** What is due at the given time: never below what was served. */
  double at(Instant now) {
    return Planned.due(value, plan, now);
  }

  /** What is planned for later, above what is due now. */
  List<Planned> after(Instant now) {
    double due = at(now);
    return plan.stream()
        .filter(planned -> planned.at().isAfter(now) && planned.value() >= due)
        .toList();
  }
}
