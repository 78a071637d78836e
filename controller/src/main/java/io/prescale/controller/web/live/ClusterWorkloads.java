package io.prescale.controller.web.live;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.prescale.adapter.MetricReadModel;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.web.Why;
import io.prescale.controller.web.WorkloadSeries;
import io.prescale.controller.web.WorkloadSummary;
import io.prescale.controller.web.WorkloadsView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The workloads of a cluster, from the statuses of their PredictiveHPAs since this replica began to
 * watch; so leader and followers show the same. Thread-safe.
 */
public final class ClusterWorkloads implements WorkloadsView, ResourceEventHandler<PredictiveHPA> {
  /** The minutes kept of a workload; fewer if there are many workloads. */
  static final int DAY = 24 * 60;

  /** The minutes kept of all workloads together, about 50 MB. */
  private static final int MOST_MINUTES = 50_000;

  private static final int FEWEST_MINUTES = 60;

  private final MetricReadModel model;
  private final InstantSource clock;
  private final TreeMap<String, WatchedWorkload> workloads = new TreeMap<>();

  /**
   * Without workloads.
   *
   * @param model what the metrics API answers from
   */
  public ClusterWorkloads(MetricReadModel model, InstantSource clock) {
    this.model = model;
    this.clock = clock;
  }

  @Override
  public synchronized void onAdd(PredictiveHPA added) {
    workloads
        .computeIfAbsent(added.qualifiedName(), _ -> new WatchedWorkload(added))
        .observe(added, Math.clamp(MOST_MINUTES / (workloads.size() + 1), FEWEST_MINUTES, DAY));
  }

  @Override
  public void onUpdate(PredictiveHPA before, PredictiveHPA now) {
    onAdd(now);
  }

  @Override
  public synchronized void onDelete(PredictiveHPA deleted, boolean finalStateUnknown) {
    workloads.remove(deleted.qualifiedName());
  }

  /** The names of all, in their order. */
  public synchronized List<String> names() {
    return List.copyOf(workloads.keySet());
  }

  /** The current PredictiveHPA of a workload. */
  synchronized Optional<PredictiveHPA> resource(String workload) {
    return Optional.ofNullable(workloads.get(workload)).map(WatchedWorkload::newest);
  }

  @Override
  public synchronized List<WorkloadSummary> workloads() {
    var now = clock.instant();
    return workloads.values().stream().map(it -> ClusterSummary.of(it, model, now)).toList();
  }

  @Override
  public synchronized Optional<WorkloadSeries> series(
      String workload, Optional<String> metric, Duration last) {
    return Optional.ofNullable(workloads.get(workload))
        .flatMap(watched -> ClusterSeries.of(workload, watched, metric, last));
  }

  @Override
  public synchronized Optional<Why> why(String workload, Instant at) {
    Instant begin = at.truncatedTo(ChronoUnit.MINUTES);
    return Optional.ofNullable(workloads.get(workload)).stream()
        .flatMap(WatchedWorkload::minutes)
        .filter(minute -> minute.begin().equals(begin) && minute.isDecided())
        .findFirst()
        .map(minute -> Why.of(workload, minute.why()));
  }
}
