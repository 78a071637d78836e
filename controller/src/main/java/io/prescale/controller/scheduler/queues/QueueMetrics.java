package io.prescale.controller.scheduler.queues;

import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.ledger.QueueState;
import io.prescale.placement.queue.Quota;
import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;

/** GpuQueues by name; of more than {@link #MOST_QUEUES} those that use the most. */
public final class QueueMetrics extends Collector {
  static final int MOST_QUEUES = 500;

  private static final double MILLI = 1000;

  private final Ledger ledger;
  private final InstantSource clock;

  /** Of the queues that a ledger knows, at the times of a clock. */
  public QueueMetrics(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  @Override
  public List<MetricFamilySamples> collect() {
    var used = family("used_cards", "Cards that pods of a GpuQueue hold or are offered.");
    var owed =
        family("owed_cards", "Cards that a GpuQueue should have, given what all queues ask for.");
    var guaranteed = family("guaranteed_cards", "Cards that a GpuQueue gets whenever it asks.");
    var limit = family("limit_cards", "Cards that a GpuQueue never exceeds, if it has a limit.");
    var waiting = family("waiting_pods", "Pods of a GpuQueue that wait for cards.");
    var oldest =
        family("oldest_wait_seconds", "Time since the oldest of the waiting pods was created.");
    var now = clock.instant();
    var most = Comparator.comparingLong(QueueState::usedMilli).reversed();
    for (var queue : ledger.queues().stream().sorted(most).limit(MOST_QUEUES).toList()) {
      var labels = List.of(queue.name());
      used.addMetric(labels, queue.usedMilli() / MILLI);
      owed.addMetric(labels, queue.owedMilli() / MILLI);
      guaranteed.addMetric(labels, queue.quota().guaranteed() / MILLI);
      if (queue.quota().limit() < Quota.UNLIMITED) {
        limit.addMetric(labels, queue.quota().limit() / MILLI);
      }
      waiting.addMetric(labels, queue.waiting());
      queue
          .oldest()
          .ifPresent(
              since ->
                  oldest.addMetric(
                      labels, Math.max(0, (double) Duration.between(since, now).toSeconds())));
    }
    return List.of(used, owed, guaranteed, limit, waiting, oldest);
  }

  private static GaugeMetricFamily family(String name, String help) {
    return new GaugeMetricFamily("prescale_gpuqueue_" + name, help, List.of("gpuqueue"));
  }
}
