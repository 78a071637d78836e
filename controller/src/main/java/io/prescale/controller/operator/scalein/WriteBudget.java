package io.prescale.controller.operator.scalein;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * How many pods may be written to within a minute of the clock, of all workloads together and of
 * one: the API server and all who watch pods bear each of these writes. Thread-safe.
 */
final class WriteBudget {
  private static final int SECONDS = 60;

  private final int mostOfAll;
  private final int mostOfOne;
  private final Map<String, Integer> spent = new HashMap<>();
  private long minute = Long.MIN_VALUE;
  private int spentOfAll;

  WriteBudget(int mostOfAll, int mostOfOne) {
    if (mostOfOne < 1 || mostOfAll < mostOfOne) {
      throw new IllegalArgumentException(mostOfOne + " of " + mostOfAll);
    }
    this.mostOfAll = mostOfAll;
    this.mostOfOne = mostOfOne;
  }

  /** Spends one write of a workload, if the minute has one left. */
  synchronized boolean spend(String workload, Instant now) {
    long current = Math.floorDiv(now.getEpochSecond(), SECONDS);
    if (current != minute) {
      minute = current;
      spentOfAll = 0;
      spent.clear();
    }
    int already = spent.getOrDefault(workload, 0);
    if (spentOfAll == mostOfAll || already == mostOfOne) {
      return false;
    }
    spentOfAll++;
    spent.put(workload, already + 1);
    return true;
  }
}
