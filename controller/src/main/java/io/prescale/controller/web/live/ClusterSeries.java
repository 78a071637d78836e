package io.prescale.controller.web.live;

import io.prescale.controller.autoscaling.ForecastSummary;
import io.prescale.controller.web.MinuteTable;
import io.prescale.controller.web.MinuteTable.Column;
import io.prescale.controller.web.WorkloadSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Builds the series of a workload's last minutes, for one of its metrics. */
final class ClusterSeries {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private ClusterSeries() {}

  /**
   * The series; without a minute before the first decision.
   *
   * @param metric name of the metric; empty for that of the newest decision
   * @return empty when the workload has no such metric
   */
  static Optional<WorkloadSeries> of(
      String id, WatchedWorkload watched, Optional<String> metric, Duration last) {
    var newest = watched.newestMinute();
    if (newest.isEmpty()) {
      return Optional.of(
          new MinuteTable(Instant.EPOCH)
              .series(
                  id,
                  metric.orElse(""),
                  Instant.EPOCH,
                  Duration.ZERO,
                  Duration.ZERO,
                  OptionalDouble.empty(),
                  List.of()));
    }
    return newest
        .get()
        .metric(metric.orElse(newest.get().why().metric()))
        .map(shown -> series(id, watched, newest.get(), shown, last));
  }

  private static WorkloadSeries series(
      String id,
      WatchedWorkload watched,
      WatchedMinute newest,
      WatchedMetric shown,
      Duration last) {
    var begin = newest.begin().minus(last);
    var oldest = watched.minutes().findFirst().orElse(newest).begin().minus(MINUTE);
    var table = new MinuteTable(oldest.isAfter(begin) ? oldest : begin);
    watched.minutes().forEach(minute -> put(minute, shown.name(), table));
    return table.series(
        id,
        shown.name(),
        newest.begin(),
        newest.why().lead().total(),
        shown.forecast().map(ForecastSummary::window).orElse(Duration.ZERO),
        OptionalDouble.of(shown.capacityPerReplica()),
        watched.marks().of(shown.name()));
  }

  /** Adds a minute to the table; its observed demand belongs to the minute before the decision. */
  private static void put(WatchedMinute minute, String metric, MinuteTable table) {
    var at = minute.begin();
    minute
        .metric(metric)
        .ifPresent(
            it -> {
              it.observed().ifPresent(value -> table.put(Column.DEMAND, at.minus(MINUTE), value));
              it.forecast().ifPresent(table::put);
              it.served().ifPresent(value -> table.put(Column.SERVED, at, value));
            });
    table.put(Column.WANTED, at, minute.why().desiredReplicas());
    minute.ready().ifPresent(ready -> table.put(Column.READY, at, ready));
    table.put(Column.REACTIVE_READY, at, minute.reactiveReady());
  }
}
