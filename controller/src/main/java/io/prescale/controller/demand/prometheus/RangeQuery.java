package io.prescale.controller.demand.prometheus;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * A PromQL expression evaluated at {@code from}, {@code from + step}, … up to {@code to}, both
 * included.
 */
public record RangeQuery(String promql, Instant from, Instant to, Duration step) {
  public RangeQuery {
    if (promql.isBlank()) {
      throw new IllegalArgumentException("The query is empty.");
    }
    if (!step.isPositive() || !step.equals(step.truncatedTo(ChronoUnit.MILLIS))) {
      throw new IllegalArgumentException(
          "The step of a query must be whole milliseconds: %d ns".formatted(step.toNanos()));
    }
    if (to.isBefore(from)) {
      throw new IllegalArgumentException(
          "The range would start at %s and end before that, at %s.".formatted(from, to));
    }
  }

  /** The number of evaluations. */
  public long points() {
    return Duration.between(from, to).toMillis() / step.toMillis() + 1; // asked for each sample
  }

  /** Splits the points over as few queries as possible, each with at most {@code maxPoints}. */
  public List<RangeQuery> split(int maxPoints) {
    if (maxPoints < 1) {
      throw new IllegalArgumentException("maxPoints must be positive: " + maxPoints);
    }
    var parts = new ArrayList<RangeQuery>();
    long points = points();
    for (long first = 0; first < points; first += maxPoints) {
      long last = Math.min(first + maxPoints, points) - 1;
      parts.add(new RangeQuery(promql, at(first), at(last), step));
    }
    return parts;
  }

  private Instant at(long point) {
    return from.plus(step.multipliedBy(point));
  }
}
