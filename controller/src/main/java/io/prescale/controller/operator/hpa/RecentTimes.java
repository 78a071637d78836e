package io.prescale.controller.operator.hpa;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;

/** Counts how often something happened of late. */
final class RecentTimes {
  private final Duration within;
  private final ArrayDeque<Instant> times = new ArrayDeque<>();

  /**
   * Nothing has happened yet.
   *
   * @param within after which time it is forgotten
   */
  RecentTimes(Duration within) {
    this.within = within;
  }

  void add(Instant now) {
    forget(now);
    times.add(now);
  }

  int count(Instant now) {
    forget(now);
    return times.size();
  }

  void clear() {
    times.clear();
  }

  private void forget(Instant now) {
    while (!times.isEmpty() && !now.isBefore(times.getFirst().plus(within))) {
      times.removeFirst();
    }
  }
}
