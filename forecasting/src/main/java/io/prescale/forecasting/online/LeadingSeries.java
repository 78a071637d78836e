package io.prescale.forecasting.online;

import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.function.ToDoubleFunction;

/**
 * A series that may show demand before it comes, such as arrivals at a gateway, sessions, or the
 * demand of an upstream service. What it knows of a step is used from the end of that step on.
 *
 * <p>It has steps like the demand's, of the same length and beginning at the same times, and may
 * begin and end at others. Thread-safe.
 */
public final class LeadingSeries {
  private final String name;
  private final Duration step;
  private final int capacity;
  private DemandHistory known;
  private int histories;

  /**
   * A series of which nothing is known.
   *
   * @param name for explanations; not blank
   * @param start beginning of the first step to be observed
   * @param capacity maximum number of steps kept, at least 2
   */
  public LeadingSeries(String name, Instant start, Duration step, int capacity) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("the name of a leading series must not be blank");
    }
    this.name = name;
    this.step = step;
    this.capacity = capacity;
    this.known = empty(start);
  }

  /** A series of which this history is known. O(steps). */
  public static LeadingSeries of(String name, TimeSeries history) {
    int capacity = Math.max(2, history.size());
    var series = new LeadingSeries(name, history.start(), history.step(), capacity);
    series.learn(history);
    return series;
  }

  private DemandHistory empty(Instant start) {
    return new DemandHistory(start, step, ZoneOffset.UTC, EventCalendar.empty(), capacity);
  }

  /** Its name, for explanations. */
  public String name() {
    return name;
  }

  /** The beginning of the next step to be observed. */
  public synchronized Instant next() {
    return known.time(known.size());
  }

  /**
   * Takes in the value of the step that begins at {@code time}; steps between are missing, and one
   * that was observed before is ignored. O(steps between).
   *
   * @param value NaN where missing; so is one beyond ±1e30
   */
  public synchronized void observe(Instant time, double value) {
    if (time.isBefore(next())) {
      return;
    }
    if (Duration.between(next(), time).dividedBy(step) >= capacity) {
      known = empty(time); // nothing of before would be kept
    }
    while (next().isBefore(time)) {
      known.add(Double.NaN);
    }
    known.add(Math.abs(value) <= TimeSeries.LARGEST_DEMAND ? value : Double.NaN);
  }

  /**
   * Takes in a history in place of what was observed until its end; what was observed after that is
   * kept. O(steps).
   *
   * @param history of the same step, beginning at the same times
   */
  public synchronized void learn(TimeSeries history) {
    if (!history.step().equals(step)) {
      throw new IllegalArgumentException(
          "the history of %s has steps of %s instead of %s".formatted(name, history.step(), step));
    }
    histories++;
    var later = known;
    known = empty(history.start());
    for (int i = Math.max(0, history.size() - capacity); i < history.size(); i++) {
      observe(history.time(i), history.value(i));
    }
    for (int i = later.oldest(); i < later.size(); i++) {
      observe(later.time(i), later.observed(i));
    }
  }

  Duration step() {
    return step;
  }

  /** How many histories were taken in. */
  synchronized int histories() {
    return histories;
  }

  /** The mean of steps [from, to) of the demand's; NaN when none is known. */
  double mean(DemandHistory demand, int from, int to) {
    return of(demand, from, it -> it.known.mean(it.from, it.from + to - from));
  }

  /** The highest value of steps [from, to) of the demand's; NaN when none is known. */
  double max(DemandHistory demand, int from, int to) {
    return of(demand, from, it -> it.known.max(it.from, it.from + to - from));
  }

  /** What is known, and the number that a step of the demand's has in it. */
  private record Part(DemandHistory known, int from) {}

  private synchronized double of(DemandHistory demand, int from, ToDoubleFunction<Part> value) {
    var since = Duration.between(known.time(0), demand.time(from));
    long steps = Math.floorDiv(since.toNanos(), step.toNanos()); // no step that ends later
    return value.applyAsDouble(new Part(known, Math.toIntExact(steps)));
  }
}
