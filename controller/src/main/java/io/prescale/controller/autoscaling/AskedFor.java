package io.prescale.controller.autoscaling;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;

/**
 * How many replicas were asked for, by when they could serve: where these would have sufficed, a
 * shortage is of pods that do not start or serve, and no price prevents it. Not thread-safe;
 * amortized O(1) each.
 */
final class AskedFor {
  private final ArrayDeque<Asked> asked = new ArrayDeque<>();

  private record Asked(Instant serving, int replicas) {}

  /** So many were asked for, at a price that a shortage has, and could serve a lead time later. */
  void decided(int replicas, Instant at, Duration lead) {
    if (asked.isEmpty() || asked.getLast().replicas() != replicas) {
      asked.addLast(new Asked(at.plus(lead), replicas));
    }
  }

  /** What was asked for had no price: no forecast was followed. */
  void unpriced(Instant at, Duration lead) {
    decided(Integer.MAX_VALUE, at, lead);
  }

  /** What could serve at a time; the greatest number while that is unknown or had no price. */
  int servingAt(Instant time) {
    int replicas = Integer.MAX_VALUE;
    while (!asked.isEmpty() && !asked.getFirst().serving().isAfter(time)) {
      replicas = asked.removeFirst().replicas();
    }
    if (replicas < Integer.MAX_VALUE) {
      asked.addFirst(new Asked(time, replicas));
    }
    return replicas;
  }
}
