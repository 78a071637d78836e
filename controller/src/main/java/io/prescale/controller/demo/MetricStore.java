package io.prescale.controller.demo;

import io.prescale.forecasting.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;

/**
 * The samples that the simulated Prometheus has scraped: one sample a minute of each workload. A
 * scrape that failed leaves a gap. Thread-safe.
 */
final class MetricStore {
  /** Prometheus answers with the newest sample of the last five minutes. */
  private static final Duration LOOKBACK = Duration.ofMinutes(5);

  private final Instant start;
  private final Map<String, Column> columns = new HashMap<>();

  private static final class Column {
    private double[] values = new double[1024];
    private int size;

    void set(int index, double value) {
      if (index >= values.length) {
        values = Arrays.copyOf(values, Math.max(index + 1, 2 * values.length));
      }
      if (index > size) {
        Arrays.fill(values, size, index, Double.NaN);
      }
      values[index] = value;
      size = Math.max(size, index + 1);
    }
  }

  /** Creates an empty store for samples from {@code start} on, a full minute. */
  MetricStore(Instant start) {
    this.start = start;
  }

  /**
   * Adds a scraped sample.
   *
   * @param time a full minute, not before the start
   */
  synchronized void add(String workload, Instant time, double value) {
    columns.computeIfAbsent(workload, _ -> new Column()).set(index(time), value);
  }

  synchronized Set<String> workloads() {
    return new TreeSet<>(columns.keySet());
  }

  /**
   * The samples that a range query finds at {@code from}, {@code from + step}, … up to {@code to}.
   */
  synchronized List<Sample> range(String workload, Instant from, Instant to, Duration step) {
    var column = columns.get(workload);
    var found = new ArrayList<Sample>();
    if (column != null) {
      for (Instant time = from; !time.isAfter(to); time = time.plus(step)) {
        var sampled = time;
        newest(column, time).ifPresent(value -> found.add(new Sample(sampled, value)));
      }
    }
    return found;
  }

  private OptionalDouble newest(Column column, Instant time) {
    int last = Math.min(index(time), column.size - 1);
    int first = Math.max(0, index(time) - (int) LOOKBACK.toMinutes() + 1);
    for (int i = last; i >= first; i--) {
      if (!Double.isNaN(column.values[i])) {
        return OptionalDouble.of(column.values[i]);
      }
    }
    return OptionalDouble.empty();
  }

  private int index(Instant time) {
    return (int)
        Math.clamp(
            Math.floorDiv(time.getEpochSecond() - start.getEpochSecond(), 60L),
            -LOOKBACK.toMinutes(),
            Integer.MAX_VALUE / 4L);
  }
}
