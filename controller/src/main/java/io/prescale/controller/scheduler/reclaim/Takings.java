package io.prescale.controller.scheduler.reclaim;

import io.prescale.placement.notice.CardHolder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts the pods that were taken from each queue. For one thread at a time. */
final class Takings {
  private static final Duration HOUR = Duration.ofHours(1);

  private final Map<String, List<Taking>> byQueue = new HashMap<>();
  private final ReclaimMetrics metrics;

  Takings(ReclaimMetrics metrics) {
    this.metrics = metrics;
  }

  private record Taking(String uid, Instant at) {}

  /** Records a taking, once for each pod. */
  void taken(CardHolder holder, ReclaimMetrics.How how, Instant now) {
    var all = byQueue.computeIfAbsent(holder.queue(), _ -> new ArrayList<>());
    if (all.stream().noneMatch(taking -> taking.uid().equals(holder.uid()))) {
      all.add(new Taking(holder.uid(), now));
      metrics.taken(holder, how);
    }
  }

  /** How many pods were taken from a queue within the last hour. */
  int inTheHour(String queue, Instant now) {
    var all = byQueue.getOrDefault(queue, List.of());
    if (!all.isEmpty()) {
      all.removeIf(taking -> taking.at().plus(HOUR).isBefore(now));
    }
    return all.size();
  }
}
