package io.prescale.controller.web;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What is known of the workloads that are scaled. Thread-safe. */
public interface WorkloadsView {
  /** In the order in which they are shown. */
  List<WorkloadSummary> workloads();

  /**
   * The last minutes of a workload, and what is forecast beyond them.
   *
   * @param metric whose demand is shown; without one, the metric that decides
   * @return empty when there is no such workload, or it has no such metric
   */
  Optional<WorkloadSeries> series(String workload, Optional<String> metric, Duration last);

  /**
   * Why a workload was scaled as it was.
   *
   * @return empty when there is no such workload, or nothing is known of that minute
   */
  Optional<Why> why(String workload, Instant at);
}
