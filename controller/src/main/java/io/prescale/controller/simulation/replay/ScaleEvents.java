package io.prescale.controller.simulation.replay;

import io.prescale.controller.autoscaling.HpaRules;
import java.time.Duration;
import java.util.ArrayDeque;

/** Changes of the replica count that scaling policies look back on. */
final class ScaleEvents {

  private record Event(int sync, int change) {}

  private final long syncNanos;
  private final long longestPeriodNanos;
  private final ArrayDeque<Event> oldestFirst = new ArrayDeque<>();

  ScaleEvents(HpaRules rules) {
    syncNanos = rules.syncPeriod().toNanos();
    longestPeriodNanos =
        Math.max(
            rules.scaleUp().longestPeriod().toNanos(), rules.scaleDown().longestPeriod().toNanos());
  }

  void add(int sync, int change) {
    oldestFirst.addLast(new Event(sync, change));
  }

  /** Replicas added less replicas removed, strictly within the period before this sync. */
  int netChangeWithin(Duration period, int sync) {
    while (!oldestFirst.isEmpty() && age(oldestFirst.getFirst(), sync) >= longestPeriodNanos) {
      oldestFirst.removeFirst();
    }
    int net = 0;
    for (Event event : oldestFirst) {
      if (age(event, sync) < period.toNanos()) {
        net += event.change();
      }
    }
    return net;
  }

  private long age(Event event, int sync) {
    return (sync - event.sync()) * syncNanos;
  }
}
