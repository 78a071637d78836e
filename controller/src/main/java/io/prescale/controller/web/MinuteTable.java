package io.prescale.controller.web;

import io.prescale.controller.autoscaling.ForecastSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.LongStream;

/** The columns of a {@link WorkloadSeries}, filled in at any minute. Not thread-safe. */
public final class MinuteTable {
  private static final long MINUTE = 60;

  private final long first;
  private final Map<Column, List<OptionalDouble>> columns = new EnumMap<>(Column.class);
  private int size;

  /** What is known of a minute. */
  public enum Column {
    DEMAND,
    P50,
    P90,
    P95,
    SERVED,
    WANTED,
    READY,
    REACTIVE_READY
  }

  /** An empty table that begins with a minute. */
  public MinuteTable(Instant first) {
    this.first = first.getEpochSecond();
  }

  /** Fills in a value; one from before the beginning is left out. */
  public void put(Column column, Instant at, double value) {
    int minute = (int) Math.floorDiv(at.getEpochSecond() - first, MINUTE);
    if (minute < 0) {
      return;
    }
    size = Math.max(size, minute + 1);
    column(column).set(minute, OptionalDouble.of(value));
  }

  /** Fills in the quantiles at the minute that a forecast is about. */
  public void put(ForecastSummary forecast) {
    var about = forecast.origin().plus(forecast.lead());
    put(Column.P50, about, forecast.p50());
    put(Column.P90, about, forecast.p90());
    put(Column.P95, about, forecast.p95());
  }

  /** As long as every other one. */
  private List<OptionalDouble> column(Column column) {
    var values = columns.computeIfAbsent(column, _ -> new ArrayList<>());
    while (values.size() < size) {
      values.add(OptionalDouble.empty());
    }
    return values;
  }

  /** What has been filled in, empty where nothing was, and the marks since its first minute. */
  public WorkloadSeries series(
      String id,
      String metric,
      Instant now,
      Duration lead,
      Duration window,
      OptionalDouble capacityPerReplica,
      List<Mark> marks) {
    return new WorkloadSeries(
        id,
        metric,
        now,
        lead.toSeconds(),
        window.toSeconds(),
        capacityPerReplica,
        LongStream.range(0, size).map(minute -> first + MINUTE * minute).boxed().toList(),
        column(Column.DEMAND),
        column(Column.P50),
        column(Column.P90),
        column(Column.P95),
        column(Column.SERVED),
        column(Column.WANTED),
        column(Column.READY),
        column(Column.REACTIVE_READY),
        marks.stream()
            .filter(it -> it.at().getEpochSecond() >= first)
            .sorted(Comparator.comparing(Mark::at))
            .toList());
  }
}
