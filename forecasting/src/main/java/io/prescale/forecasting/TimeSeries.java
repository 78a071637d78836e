package io.prescale.forecasting;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;

/**
 * Observations on a regular time grid, some of which may be missing. Immutable.
 *
 * <p>Step {@code i} covers the time from {@link #time(int) time(i)} up to {@code time(i + 1)}. The
 * value of a missing step is {@code NaN}; {@link #isMissing(int)} tests for it. An outage is
 * missing, never zero. Series that are empty, constant, or missing throughout are legal.
 */
public final class TimeSeries {
  /** Larger values, which no real demand reaches, would overflow squares and single precision. */
  public static final double LARGEST_DEMAND = 1e30;

  private final long startMillis;
  private final long stepMillis;
  // Slices share their parent's values, which never change after construction.
  private final double[] values;
  private final int from;
  private final int size;

  private TimeSeries(long startMillis, long stepMillis, double[] values, int from, int size) {
    this.startMillis = startMillis;
    this.stepMillis = stepMillis;
    this.values = values;
    this.from = from;
    this.size = size;
  }

  /**
   * A series of the given values, one per step.
   *
   * @param start beginning of the first step, in whole milliseconds
   * @param step length of a step, in whole milliseconds
   * @param values one per step; NaN marks a missing step, infinite values are refused
   */
  public static TimeSeries of(Instant start, Duration step, double... values) {
    if (!step.isPositive() || !step.equals(step.truncatedTo(ChronoUnit.MILLIS))) {
      throw new IllegalArgumentException("step must be positive whole milliseconds: " + step);
    }
    if (!start.equals(start.truncatedTo(ChronoUnit.MILLIS))) {
      throw new IllegalArgumentException("start must be a whole millisecond: " + start);
    }
    var owned = values.clone();
    for (int i = 0; i < owned.length; i++) {
      if (Double.isInfinite(owned[i])) {
        throw new IllegalArgumentException("value " + i + " is infinite");
      }
    }
    return new TimeSeries(start.toEpochMilli(), step.toMillis(), owned, 0, owned.length);
  }

  /**
   * Puts irregular samples on a grid whose step is detected from the gaps between them, and reports
   * what was done to them.
   *
   * <p>Samples out of order are sorted. Of several samples of one instant the last counts; several
   * within a step become their mean. A value that is negative, which demand cannot be, or not
   * finite leaves its step without a value. Nothing is ever interpolated.
   *
   * @throws UngriddableException when the grid would have more than two million steps, or a time is
   *     outside the years 0 to 9999
   */
  public static Gridded fromSamples(Iterable<Sample> samples) {
    return new SampleGrid(Optional.empty()).grid(samples);
  }

  /** As {@link #fromSamples(Iterable)}, with a given step of at least a millisecond. */
  public static Gridded fromSamples(Iterable<Sample> samples, Duration step) {
    return new SampleGrid(Optional.of(step)).grid(samples);
  }

  /**
   * The beginning of the step in which a time lies, where steps begin at whole multiples of their
   * length since the epoch.
   */
  public static Instant stepBegin(Instant time, Duration step) {
    return Instant.ofEpochMilli(
        Math.floorDiv(time.toEpochMilli(), step.toMillis()) * step.toMillis());
  }

  public Instant start() {
    return Instant.ofEpochMilli(startMillis);
  }

  public Duration step() {
    return Duration.ofMillis(stepMillis);
  }

  public int size() {
    return size;
  }

  public boolean isMissing(int i) {
    return Double.isNaN(value(i));
  }

  /** The value of step {@code i}; NaN when it is missing. */
  public double value(int i) {
    if (i < 0 || i >= size) {
      throw new IndexOutOfBoundsException("step " + i + " of " + size);
    }
    return values[from + i];
  }

  /** The beginning of step {@code i}, which may lie before or after the series. */
  public Instant time(int i) {
    return Instant.ofEpochMilli(startMillis + i * stepMillis);
  }

  /** The end of the last step, exclusive. */
  public Instant end() {
    return time(size);
  }

  /**
   * The step that contains {@code t}: negative before the series, {@link #size()} or more after it.
   */
  public int indexOf(Instant t) {
    return Math.clamp(
        Math.floorDiv(t.toEpochMilli() - startMillis, stepMillis),
        Integer.MIN_VALUE,
        Integer.MAX_VALUE);
  }

  /** Steps {@code from} (inclusive) to {@code to} (exclusive); O(1), shares the values. */
  public TimeSeries slice(int from, int to) {
    if (from < 0 || to < from || to > size) {
      throw new IndexOutOfBoundsException("slice " + from + ".." + to + " of " + size);
    }
    return new TimeSeries(
        startMillis + from * stepMillis, stepMillis, values, this.from + from, to - from);
  }

  /**
   * The same series with steps {@code factor} times as long, each the mean of its present values,
   * or missing if fewer than half are present. An incomplete block at the end is left out, because
   * its mean is not comparable with the others.
   */
  public TimeSeries coarsen(int factor) {
    if (factor < 1) {
      throw new IllegalArgumentException("factor must be positive: " + factor);
    }
    if (factor == 1) {
      return this;
    }
    var means = new double[size / factor];
    for (int block = 0; block < means.length; block++) {
      means[block] = meanOfBlock(from + block * factor, factor);
    }
    return new TimeSeries(
        startMillis, Math.multiplyExact(stepMillis, factor), means, 0, means.length);
  }

  private double meanOfBlock(int first, int length) {
    double sum = 0;
    int present = 0;
    for (int i = first; i < first + length; i++) {
      if (!Double.isNaN(values[i])) {
        sum += values[i];
        present++;
      }
    }
    return 2 * present >= length ? sum / present : Double.NaN;
  }

  public int presentCount() {
    int present = 0;
    for (int i = from; i < from + size; i++) {
      if (!Double.isNaN(values[i])) {
        present++;
      }
    }
    return present;
  }

  /** A copy of the values, NaN where missing. */
  public double[] toArray() {
    return Arrays.copyOfRange(values, from, from + size);
  }

  /** Equal when start, step, values and missing steps are. */
  @Override
  public boolean equals(Object other) {
    return other instanceof TimeSeries that
        && startMillis == that.startMillis
        && stepMillis == that.stepMillis
        && Arrays.equals(values, from, from + size, that.values, that.from, that.from + that.size);
  }

  @Override
  public int hashCode() {
    int hash = 31 * Long.hashCode(startMillis) + Long.hashCode(stepMillis);
    for (int i = from; i < from + size; i++) {
      hash = 31 * hash + Double.hashCode(values[i]);
    }
    return hash;
  }

  @Override
  public String toString() {
    return "%d steps of %s from %s, %d missing"
        .formatted(size, step(), start(), size - presentCount());
  }
}
