package io.prescale.controller.scheduler.reclaim;

import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.SuspendedWork;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Workloads that were resumed and whose pods do not have their cards yet. Until they have them, the
 * room looks free, and a second workload would be resumed into it. Not thread-safe.
 */
final class Resumptions {
  /** Pods that have no cards by then have to wait for them. */
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final Map<String, Expected> expected = new HashMap<>();

  private record Expected(long pods, Instant until) {}

  /**
   * Records that a workload goes on.
   *
   * @param holders among which are the pods that it has already, if it was scaled down
   */
  void begun(SuspendedWork work, Collection<CardHolder> holders, Instant now) {
    long pods = running(work.key(), holders) + work.shapes().size();
    expected.put(work.key(), new Expected(pods, now.plus(LONGEST)));
  }

  /** Whether another one may be resumed. */
  boolean areOver(Collection<CardHolder> holders, Instant now) {
    expected
        .entrySet()
        .removeIf(
            entry ->
                !entry.getValue().until().isAfter(now)
                    || running(entry.getKey(), holders) >= entry.getValue().pods());
    return expected.isEmpty();
  }

  private static long running(String workload, Collection<CardHolder> holders) {
    return holders.stream()
        .filter(
            holder -> !holder.isLeaving() && holder.workload().filter(workload::equals).isPresent())
        .count();
  }
}
