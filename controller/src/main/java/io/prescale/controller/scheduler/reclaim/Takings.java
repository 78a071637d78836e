package io.prescale.controller.scheduler.reclaim;

import io.prescale.controller.scheduler.evictions.WithinTheHour;
import io.prescale.placement.notice.CardHolder;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Counts the pods that were taken from each queue. Not thread-safe. */
final class Takings {
  private final Map<String, WithinTheHour> byQueue = new HashMap<>();
  private final ReclaimMetrics metrics;

  Takings(ReclaimMetrics metrics) {
    this.metrics = metrics;
  }

  /**
   * A pod whose cards are taken.
   *
   * @param ran how long it had been there
   * @param receiver the queue for which they are taken; empty when that is no longer known
   */
  record Taking(
      CardHolder holder, ReclaimMetrics.How how, Duration ran, Optional<String> receiver) {}

  /** Records a taking, once for each pod. */
  void taken(Taking taking, Instant now) {
    var holder = taking.holder();
    if (byQueue.computeIfAbsent(holder.queue(), _ -> new WithinTheHour()).add(holder.uid(), now)) {
      metrics.taken(taking);
    }
  }

  /** How many pods were taken from a queue within the last hour. */
  int inTheHour(String queue, Instant now) {
    var taken = byQueue.get(queue);
    return taken == null ? 0 : taken.count(now);
  }
}
