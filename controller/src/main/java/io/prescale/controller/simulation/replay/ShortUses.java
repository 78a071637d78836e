package io.prescale.controller.simulation.replay;

import java.util.ArrayDeque;

/**
 * Counts the replicas that were started and stopped again after they had served for five minutes at
 * most, or not at all. Those that began to serve last are stopped first. Times are steps: syncs or
 * minutes.
 */
final class ShortUses {
  static final int MOST_MINUTES = 5;

  private final double mostSteps;

  /**
   * When those that serve began to, the newest first; without those that there were from the first.
   */
  private final ArrayDeque<Integer> servingSince = new ArrayDeque<>();

  private int count;

  ShortUses(double stepsPerMinute) {
    this.mostSteps = MOST_MINUTES * stepsPerMinute;
  }

  void serve(int replicas, int from) {
    for (int i = 0; i < replicas; i++) {
      servingSince.push(from);
    }
  }

  void stopBeforeServing(int replicas) {
    count += replicas;
  }

  void stop(int replicas, int at) {
    for (int i = 0; i < replicas && !servingSince.isEmpty(); i++) {
      count += at - servingSince.pop() <= mostSteps ? 1 : 0;
    }
  }

  int count() {
    return count;
  }
}
