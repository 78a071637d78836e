package io.prescale.controller.page;

import io.prescale.controller.autoscaling.ForecastSummary;
import io.prescale.controller.web.MinuteTable;
import io.prescale.controller.web.MinuteTable.Column;
import io.prescale.controller.web.WorkloadSeries;
import java.time.Duration;
import java.time.Instant;

/**
 * The last minutes of a workload. Where several metrics are forecast, those minutes are shown whose
 * decision was about the metric of the newest one, so that all numbers have one unit.
 */
final class ClusterSeries {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private ClusterSeries() {}

  /** Without a minute while nothing was decided. */
  static WorkloadSeries of(String id, WatchedWorkload watched, Duration last) {
    return watched
        .newestMinute()
        .map(newest -> series(id, watched, newest, last))
        .orElseGet(
            () ->
                new MinuteTable(Instant.EPOCH)
                    .series(id, Instant.EPOCH, Duration.ZERO, Duration.ZERO, Double.NaN));
  }

  private static WorkloadSeries series(
      String id, WatchedWorkload watched, WatchedMinute newest, Duration last) {
    var begin = newest.begin().minus(last);
    var oldest = watched.minutes().findFirst().orElse(newest).begin().minus(MINUTE);
    var table = new MinuteTable(oldest.isAfter(begin) ? oldest : begin);
    watched
        .minutes()
        .filter(minute -> minute.why().metric().equals(newest.why().metric()))
        .forEach(minute -> put(minute, table));
    var why = newest.why();
    return table.series(
        id,
        newest.begin(),
        why.lead().total(),
        why.forecast().map(ForecastSummary::window).orElse(Duration.ZERO),
        why.capacityPerReplica());
  }

  /** What a decision observed is the demand of the minute before it. */
  private static void put(WatchedMinute minute, MinuteTable table) {
    var at = minute.begin();
    table.put(Column.DEMAND, at.minus(MINUTE), minute.why().observed());
    minute.why().forecast().ifPresent(table::put);
    table.put(Column.SERVED, at, minute.why().served());
    table.put(Column.WANTED, at, minute.why().desiredReplicas());
    table.put(Column.READY, at, minute.ready());
    table.put(Column.REACTIVE_READY, at, minute.reactiveReady());
  }
}
