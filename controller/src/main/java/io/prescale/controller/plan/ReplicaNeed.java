package io.prescale.controller.plan;

import java.time.Duration;
import java.time.Instant;

/**
 * Replicas that are likely enough to be needed at some time that cards should be kept for them.
 *
 * @param from when they have to be created, a lead time before they have to serve
 * @param until when the need ends
 * @param replicas in all, with those that exist
 * @param percent the mean probability over that time that so many are needed, from 1 to 100
 */
public record ReplicaNeed(Instant from, Instant until, int replicas, int percent) {
  public ReplicaNeed {
    if (!from.isBefore(until) || replicas < 1 || percent < 1 || percent > 100) {
      throw new IllegalArgumentException(
          "%d replicas with %d %% from %s until %s".formatted(replicas, percent, from, until));
    }
  }

  boolean isDuring(Instant begin, Instant end) {
    return from.isBefore(end) && until.isAfter(begin);
  }

  /**
   * Whether this need, said before, still says what another one does: it has its time and at most
   * so much more at either end, and nearly its probability. What has begun has begun.
   */
  boolean stillSays(ReplicaNeed other, Duration tolerance, int points, Instant now) {
    return replicas == other.replicas
        && Math.abs(percent - other.percent) < points
        && isEarlierByAtMost(tolerance, from, other.from, now)
        && !until.isBefore(other.until)
        && !until.isAfter(other.until.plus(tolerance));
  }

  private static boolean isEarlierByAtMost(
      Duration tolerance, Instant said, Instant other, Instant now) {
    boolean begun = !said.isAfter(now) && !other.isAfter(now);
    return begun || (!said.isAfter(other) && !said.plus(tolerance).isBefore(other));
  }
}
