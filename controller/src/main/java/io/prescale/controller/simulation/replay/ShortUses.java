package io.prescale.controller.simulation.replay;

import java.util.ArrayDeque;

/**
 * Counts the replicas that were started and stopped again after they had served for five minutes at
 * most, or not at all. Those that began to serve last are stopped first. Times are steps: syncs or
 * minutes. Takes as much time and memory as there are changes, however many replicas each is of.
 */
final class ShortUses {
  private static final int MOST_MINUTES = 5;

  private final double mostSteps;

  /** Those that serve, the newest first; without those that there were from the first. */
  private final ArrayDeque<Begun> serving = new ArrayDeque<>();

  private long count;

  private record Begun(int at, int replicas) {}

  ShortUses(double stepsPerMinute) {
    this.mostSteps = MOST_MINUTES * stepsPerMinute;
  }

  void serve(int replicas, int from) {
    if (replicas > 0) {
      serving.push(new Begun(from, replicas));
    }
  }

  void stopBeforeServing(int replicas) {
    count += replicas;
  }

  void stop(int replicas, int at) {
    int left = replicas;
    while (left > 0 && !serving.isEmpty()) {
      var newest = serving.pop();
      int stopped = Math.min(left, newest.replicas());
      count += at - newest.at() <= mostSteps ? stopped : 0;
      left -= stopped;
      serve(newest.replicas() - stopped, newest.at());
    }
  }

  long count() {
    return count;
  }
}
