package io.prescale.forecasting.online;

import io.prescale.forecasting.Event;
import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.LocalClock;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The newest observations, one per step. Steps are numbered from the first ever observed, so a
 * number stays valid when old steps are dropped.
 *
 * <p>Two views: <em>actual</em> values are observations divided by the factors of the declared
 * events at that time, so that a forecast from them may be multiplied by factors again;
 * <em>ordinary</em> values are the ones to learn from, the same without steps inside excluded
 * windows and those declared events that are not {@link Event#isLearned learned from}. Both are
 * kept in single precision, that is to seven digits, which no measured demand has. Not thread-safe.
 */
final class DemandHistory {
  private final Instant start;
  private final Duration step;
  private final LocalClock clock;
  private final EventCalendar calendar;
  private final int capacity;
  private float[] actual;

  /** Null while both views are the same, as they are in most series: those without events. */
  private float @Nullable [] ordinary;

  private int dropped;
  private int held;

  /**
   * @param capacity maximum number of steps kept
   */
  DemandHistory(Instant start, Duration step, ZoneId zone, EventCalendar calendar, int capacity) {
    if (capacity < 2) {
      throw new IllegalArgumentException("capacity must be at least 2 steps: " + capacity);
    }
    this.start = start;
    this.step = step;
    this.clock = new LocalClock(start, step, zone, calendar.holidays());
    this.calendar = calendar;
    this.capacity = capacity;
    this.actual = new float[Math.min(capacity, 1024)];
  }

  /** Appends the value of the next step; NaN if missing. */
  void add(double value) {
    if (Math.abs(value) > TimeSeries.LARGEST_DEMAND) {
      throw new IllegalArgumentException(
          "an observation must be NaN or within ±" + TimeSeries.LARGEST_DEMAND + ": " + value);
    }
    Instant time = time(size());
    double factor = calendar.factorAt(time);
    double newest = factor >= Event.LEAST_FACTOR ? value / factor : asTheDayBefore();
    append(newest, calendar.isLearned(time) ? newest : Double.NaN);
  }

  /**
   * What the next step would be if demand had gone on as the day before, from the level of the last
   * hour; else what was last. So demand is expected back when an event without any ends.
   */
  private double asTheDayBefore() {
    int next = size();
    int day = steps(Duration.ofDays(1));
    int hour = steps(Duration.ofHours(1));
    double ratio = mean(next - hour, next) / mean(next - day - hour, next - day);
    double value = actual(next - day) * ratio;
    return Double.isFinite(value) && Math.abs(value) <= TimeSeries.LARGEST_DEMAND
        ? value
        : actual(next - 1);
  }

  /** Appends the mean of the steps [from, to) of a finer history. */
  void addMean(DemandHistory finer, int from, int to) {
    append(finer.mean(from, to), finer.ordinaryMean(from, to));
  }

  private void append(double newActual, double newOrdinary) {
    if (held == actual.length) {
      makeRoom();
    }
    if (ordinary == null && Double.compare(newActual, newOrdinary) != 0) {
      ordinary = actual.clone();
    }
    if (ordinary != null) {
      ordinary[held] = (float) newOrdinary;
    }
    actual[held++] = (float) newActual;
  }

  /** Makes the value of a step that is kept unknown. */
  void forget(int i) {
    actual[i - dropped] = Float.NaN;
    if (ordinary != null) {
      ordinary[i - dropped] = Float.NaN;
    }
  }

  private void makeRoom() {
    // Dropping an eighth at a time makes the copying O(1) per step.
    int forget = actual.length < capacity ? 0 : Math.max(1, capacity / 8);
    actual = movedUp(actual, forget);
    ordinary = ordinary == null ? null : movedUp(ordinary, forget);
    held -= forget;
    dropped += forget;
  }

  private float[] movedUp(float[] values, int forget) {
    var moved = new float[Math.min(capacity, values.length * 2)];
    System.arraycopy(values, forget, moved, 0, held - forget);
    return moved;
  }

  /** A copy that later observations do not change. O(steps). */
  DemandHistory snapshot() {
    var copy = new DemandHistory(start, step, clock.zone(), calendar, capacity);
    copy.actual = Arrays.copyOf(actual, held);
    copy.ordinary = ordinary == null ? null : Arrays.copyOf(ordinary, held);
    copy.dropped = dropped;
    copy.held = held;
    return copy;
  }

  TimeSeries ordinarySeries() {
    return series(k -> ordinary()[k]);
  }

  TimeSeries observedSeries() {
    return series(k -> observed(dropped + k));
  }

  float[] observedValues() {
    var values = new float[held];
    for (int k = 0; k < held; k++) {
      values[k] = (float) observed(dropped + k);
    }
    return values;
  }

  private TimeSeries series(IntToDoubleFunction valueOf) {
    double[] values = new double[held];
    Arrays.setAll(values, valueOf);
    return TimeSeries.of(time(dropped), step, values);
  }

  /** The number of the next step to be observed. */
  int size() {
    return dropped + held;
  }

  /** The number of the oldest step kept. */
  int oldest() {
    return dropped;
  }

  Instant time(int i) {
    return start.plusNanos(Math.multiplyExact(step.toNanos(), (long) i));
  }

  Duration step() {
    return step;
  }

  LocalClock clock() {
    return clock;
  }

  EventCalendar calendar() {
    return calendar;
  }

  /** The number of steps in a duration, rounded, at least one. */
  int steps(Duration duration) {
    return (int) Math.max(1, Math.round((double) duration.toNanos() / step.toNanos()));
  }

  double actual(int i) {
    return at(actual, i);
  }

  double ordinary(int i) {
    return at(ordinary(), i);
  }

  private float[] ordinary() {
    return ordinary == null ? actual : ordinary;
  }

  private double at(float[] values, int i) {
    int k = i - dropped;
    return k < 0 || k >= held ? Double.NaN : values[k];
  }

  /**
   * The newest known actual value in the {@code steps} before step {@code end}; NaN without one.
   */
  double newest(int end, int steps) {
    for (int i = end - 1; i >= end - steps; i--) {
      if (!Double.isNaN(actual(i))) {
        return actual(i);
      }
    }
    return Double.NaN;
  }

  /** The observation at a step that is kept, not divided by event factors; NaN where unknown. */
  double observed(int i) {
    double factor = calendar.factorAt(time(i));
    return factor >= Event.LEAST_FACTOR ? actual(i) * factor : Double.NaN;
  }

  /** Mean of the actual values in [from, to); NaN when none is known. */
  double mean(int from, int to) {
    return mean(actual, from, to);
  }

  double ordinaryMean(int from, int to) {
    return mean(ordinary(), from, to);
  }

  private double mean(float[] values, int from, int to) {
    double sum = 0;
    int count = 0;
    int end = Math.min(held, to - dropped);
    for (int k = Math.max(0, from - dropped); k < end; k++) {
      if (!Double.isNaN(values[k])) {
        sum += values[k];
        count++;
      }
    }
    return count == 0 ? Double.NaN : sum / count;
  }

  /** Highest actual value in [from, to); NaN when none is known. */
  double max(int from, int to) {
    return of(actual, from, to, Math::max);
  }

  double ordinaryMax(int from, int to) {
    return of(ordinary(), from, to, Math::max);
  }

  private double of(float[] values, int from, int to, DoubleBinaryOperator choice) {
    double chosen = Double.NaN;
    int end = Math.min(held, to - dropped);
    for (int k = Math.max(0, from - dropped); k < end; k++) {
      if (!Float.isNaN(values[k])) {
        chosen = Double.isNaN(chosen) ? values[k] : choice.applyAsDouble(chosen, values[k]);
      }
    }
    return chosen;
  }

  /** Highest ordinary value in [from, to); NaN when fewer than half of its steps are known. */
  double ordinaryPeak(int from, int to) {
    int known = 0;
    for (int i = from; i < to; i++) {
      known += Double.isNaN(ordinary(i)) ? 0 : 1;
    }
    return 2 * known < to - from ? Double.NaN : ordinaryMax(from, to);
  }

  /** Lowest actual value in [from, to); NaN when none is known. */
  double min(int from, int to) {
    return of(actual, from, to, Math::min);
  }

  double ordinaryMin(int from, int to) {
    return of(ordinary(), from, to, Math::min);
  }

  /** Standard deviation of the actual values in [from, to); NaN when none is known. */
  double deviation(int from, int to) {
    double mean = mean(from, to);
    double sum = 0;
    int count = 0;
    int end = Math.min(held, to - dropped);
    for (int k = Math.max(0, from - dropped); k < end; k++) {
      if (!Double.isNaN(actual[k])) {
        sum += (actual[k] - mean) * (actual[k] - mean);
        count++;
      }
    }
    return count == 0 ? Double.NaN : Math.sqrt(sum / count);
  }
}
