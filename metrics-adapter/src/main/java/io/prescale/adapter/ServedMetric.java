package io.prescale.adapter;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A value as it was computed, and the rules for serving it as it ages.
 *
 * @param labels labels for selectors to match
 * @param milliValue thousandths of the metric's unit; not negative
 * @param timestamp when the value was computed
 * @param windowSeconds the time that the value was measured over; 0 for a moment
 * @param plan values to be served later, in order of time
 * @param freshFor how long the value counts as fresh: two ticks of its source
 * @param ttl how long it may stand in for a newer one; at least {@code freshFor}
 * @param floorMilli lower bound of every answer: the newest observed demand
 */
public record ServedMetric(
    SortedMap<String, String> labels,
    long milliValue,
    Instant timestamp,
    long windowSeconds,
    List<PlannedValue> plan,
    Duration freshFor,
    Duration ttl,
    long floorMilli) {
  public ServedMetric {
    if (milliValue < 0 || floorMilli < 0 || windowSeconds < 0) {
      throw new IllegalArgumentException(
          "value %d m, floor %d m and window %d s must not be negative"
              .formatted(milliValue, floorMilli, windowSeconds));
    }
    if (freshFor.isNegative() || ttl.compareTo(freshFor) < 0) {
      throw new IllegalArgumentException(
          "0 ≤ freshFor ≤ ttl does not hold for %s and %s".formatted(freshFor, ttl));
    }
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    plan = plan.stream().sorted(Comparator.comparing(PlannedValue::at)).toList();
  }

  /** The value to serve while it is fresh: never below the floor. */
  long freshMilli() {
    return Math.max(milliValue, floorMilli);
  }

  /** The largest of the last value and those planned until {@code now}, so that it never falls. */
  long lastKnownGoodMilli(Instant now) {
    return plan.stream()
        .filter(planned -> !planned.at().isAfter(now))
        .mapToLong(PlannedValue::milliValue)
        .reduce(freshMilli(), Math::max);
  }
}
