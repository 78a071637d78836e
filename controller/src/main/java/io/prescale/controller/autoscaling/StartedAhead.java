package io.prescale.controller.autoscaling;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps replicas that were started for a window until it begins.
 *
 * <p>Each decision is for one window, which begins one lead time ahead. Once that has passed a
 * short peak, decisions are lower, though the peak is still to come; of what was decided before,
 * the HPA keeps the most within its stabilization window. Where the lead time is longer, a decision
 * stands here for the difference and a step, until the window's demand is observed. Not
 * thread-safe; O(different numbers of replicas) each.
 */
final class StartedAhead {
  private final Duration stabilization;
  private final Duration step;
  private final List<Started> started = new ArrayList<>();

  private record Started(int replicas, Instant until) {
    boolean isCoveredBy(Started other) {
      return replicas <= other.replicas && !until.isAfter(other.until);
    }
  }

  /**
   * Nothing is started yet.
   *
   * @param stabilization the HPA's window for scaling down
   */
  StartedAhead(Duration stabilization, Duration step) {
    this.stabilization = stabilization;
    this.step = step;
  }

  /** Whether replicas for a window that begins after a lead time would be stopped before it. */
  boolean isNeeded(Duration lead) {
    return lead.compareTo(stabilization) > 0;
  }

  /** Takes in how many replicas were decided at the given time for a window one lead time later. */
  void decided(int replicas, Instant at, Duration lead) {
    if (isNeeded(lead)) {
      var newest = new Started(replicas, at.plus(lead).minus(stabilization).plus(step));
      started.removeIf(it -> it.isCoveredBy(newest) || !it.until().isAfter(at));
      started.add(newest);
    }
  }

  /**
   * Goes on with what was started before an edit.
   *
   * @param capacities the capacity of a replica before, divided by the current one
   */
  void goOnFrom(StartedAhead before, double capacities) {
    for (var it : before.started) {
      started.add(new Started(HpaRules.replicasFor(it.replicas() * capacities, 1), it.until()));
    }
  }

  /** The most replicas that were started for a window that has not begun; 0 without any. */
  int most(Instant now) {
    return started.stream()
        .filter(it -> it.until().isAfter(now))
        .mapToInt(Started::replicas)
        .max()
        .orElse(0);
  }
}
