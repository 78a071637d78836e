package io.prescale.controller.autoscaling;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * How many replicas were asked for, by when they could serve: where these would have sufficed, a
 * shortage is of pods that do not start or serve, and no price prevents it. Not thread-safe;
 * amortized O(1) each.
 */
final class AskedFor {
  /** Longer than a step; what was superseded before is not asked about. */
  private static final Duration REMEMBERED = Duration.ofHours(2);

  private final ArrayDeque<Asked> asked = new ArrayDeque<>();

  private record Asked(Instant serving, int replicas) {}

  /** Replicas were asked for, at a price that a shortage has, and could serve a lead time later. */
  void decided(int replicas, Instant at, Duration lead) {
    forgetSupersededBy(at.minus(REMEMBERED));
    if (asked.isEmpty() || asked.getLast().replicas() != replicas) {
      asked.addLast(new Asked(at.plus(lead), replicas));
    }
  }

  /** What was asked for had no price: no forecast was followed. */
  void unpriced(Instant at, Duration lead) {
    decided(Integer.MAX_VALUE, at, lead);
  }

  /** What could serve at the given time; the greatest number while unknown or without a price. */
  int servingAt(Instant time) {
    forgetSupersededBy(time);
    var first = asked.peekFirst();
    return first == null || first.serving().isAfter(time) ? Integer.MAX_VALUE : first.replicas();
  }

  private void forgetSupersededBy(Instant time) {
    @Nullable Asked newest = null;
    while (!asked.isEmpty() && !asked.getFirst().serving().isAfter(time)) {
      newest = asked.removeFirst();
    }
    if (newest != null) {
      asked.addFirst(newest);
    }
  }
}
