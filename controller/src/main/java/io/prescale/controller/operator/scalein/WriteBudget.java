package io.prescale.controller.operator.scalein;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * How many pods may be written to within a minute of the clock, of all workloads together, of a
 * namespace and of one workload: the API server and all who watch pods bear each of these writes. A
 * namespace has an equal share with those that asked in this minute or the one before, and half of
 * all at most, so that another always finds some left. Thread-safe.
 */
final class WriteBudget {
  private static final int SECONDS = 60;

  /** The part of all writes that a namespace has where no other asks is one by this. */
  private static final int LEAST_SHARERS = 2;

  private final int mostOfAll;
  private final int mostOfOne;
  private final Map<String, Integer> spentByWorkload = new HashMap<>();
  private final Map<String, Integer> spentByNamespace = new HashMap<>();
  private Set<String> askedBefore = Set.of();
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
  synchronized boolean spend(String namespace, String workload, Instant now) {
    begin(Math.floorDiv(now.getEpochSecond(), SECONDS));
    int ofNamespace = spentByNamespace.merge(namespace, 0, Integer::sum); // it has asked
    int ofWorkload = spentByWorkload.getOrDefault(workload, 0);
    if (spentOfAll == mostOfAll || ofWorkload == mostOfOne || ofNamespace >= share()) {
      return false;
    }
    spentOfAll++;
    spentByNamespace.put(namespace, ofNamespace + 1);
    spentByWorkload.put(workload, ofWorkload + 1);
    return true;
  }

  private void begin(long current) {
    if (current != minute) {
      askedBefore = current == minute + 1 ? Set.copyOf(spentByNamespace.keySet()) : Set.of();
      minute = current;
      spentOfAll = 0;
      spentByNamespace.clear();
      spentByWorkload.clear();
    }
  }

  /** Writes of a namespace in this minute, rounded up. */
  private int share() {
    var sharers = new HashSet<>(askedBefore);
    sharers.addAll(spentByNamespace.keySet());
    return Math.ceilDiv(mostOfAll, Math.max(LEAST_SHARERS, sharers.size()));
  }
}
