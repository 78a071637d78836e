package io.prescale.forecasting.relatives;

import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * The newest week of a service's demand divided by its mean: how demand moves, without how large it
 * is. Immutable; in single precision, 46 KiB at a step of a minute.
 */
public final class Relative {
  private static final Duration WEEK = Duration.ofDays(7);

  private final Instant start;
  private final Duration step;
  private final float[] demand;
  private final DemandShape shape;

  private Relative(Instant start, Duration step, float[] demand, DemandShape shape) {
    this.start = start;
    this.step = step;
    this.demand = demand;
    this.shape = shape;
  }

  /**
   * The newest week of a history. O(steps).
   *
   * @return empty for less than a week, and where less than half of it is known, a value is below 0
   *     or none is above
   */
  public static Optional<Relative> of(TimeSeries history) {
    int steps = Math.toIntExact(WEEK.dividedBy(history.step()));
    if (history.size() < steps) {
      return Optional.empty();
    }
    var week = history.slice(history.size() - steps, history.size());
    double[] values = week.toArray();
    var known = Arrays.stream(values).filter(it -> !Double.isNaN(it)).summaryStatistics();
    double mean = known.getAverage();
    boolean usable =
        2 * known.getCount() >= steps && known.getMin() >= 0 && mean > 0 && Double.isFinite(mean);
    if (!usable) {
      return Optional.empty();
    }
    var normalised = new float[steps];
    for (int i = 0; i < steps; i++) {
      normalised[i] = (float) (values[i] / mean);
    }
    return Optional.of(new Relative(week.start(), week.step(), normalised, DemandShape.of(week)));
  }

  /** How many steps the week has. */
  public int steps() {
    return demand.length;
  }

  /** The length of the steps. */
  public Duration step() {
    return step;
  }

  /** The demand, whose mean is 1; NaN where missing. O(steps). */
  public TimeSeries demand() {
    double[] values = new double[demand.length];
    Arrays.setAll(values, i -> demand[i]);
    return TimeSeries.of(start, step, values);
  }

  DemandShape shape() {
    return shape;
  }
}
