package io.prescale.controller.operator;

import java.time.Duration;
import java.time.Instant;

/**
 * Turns of statuses whose only news is that a Prometheus fails or answers again: five a second, and
 * twenty at once after a pause, so that an outage that concerns all PredictiveHPAs is no burst of
 * as many writes. Thread-safe.
 */
final class OutageTurns {
  private static final Duration BETWEEN = Duration.ofMillis(200);
  private static final Duration AT_ONCE = BETWEEN.multipliedBy(20);

  /** Ticks end out of order, but by less than this. */
  private static final Duration CLOCK_SET_BACK = Duration.ofMinutes(1);

  /** When all turns that were taken are over. */
  private Instant over = Instant.EPOCH;

  /** Takes a turn, if there is one now. */
  synchronized boolean take(Instant now) {
    var earliest = now.minus(AT_ONCE);
    if (!over.isBefore(now)) {
      return isSetBack(now);
    }
    over = (over.isBefore(earliest) ? earliest : over).plus(BETWEEN);
    return true;
  }

  private boolean isSetBack(Instant now) {
    if (Duration.between(now, over).compareTo(CLOCK_SET_BACK) <= 0) {
      return false;
    }
    over = now.plus(BETWEEN);
    return true;
  }
}
