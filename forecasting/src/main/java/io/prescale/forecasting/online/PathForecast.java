package io.prescale.forecasting.online;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/** The distribution of demand in each step of a horizon, as quantiles. Immutable. */
public final class PathForecast {
  private final Instant origin;
  private final Duration step;
  private final double[] levels;

  /** Of each step at each level, not decreasing. */
  private final double[][] values;

  PathForecast(Instant origin, Duration step, double[] levels, double[][] values) {
    this.origin = origin;
    this.step = step;
    this.levels = levels;
    this.values = values;
  }

  /** The beginning of the first step, which is the first that was not observed. */
  public Instant origin() {
    return origin;
  }

  public Duration step() {
    return step;
  }

  public int steps() {
    return values.length;
  }

  /** The beginning of step h. */
  public Instant time(int h) {
    return origin.plus(step.multipliedBy(h));
  }

  /**
   * The mean demand in step h that is not exceeded with probability {@code level}. Beyond the
   * outermost fitted levels (5 % and 95 %), tails are assumed to be normal.
   */
  public double quantile(int h, double level) {
    if (!(level > 0 && level < 1)) {
      throw new IllegalArgumentException("level must lie in (0, 1): " + level);
    }
    double[] known = values[h];
    int last = levels.length - 1;
    double edge = level < levels[0] ? levels[0] : levels[last];
    if (level >= levels[0] && level <= levels[last]) {
      return Levels.interpolate(levels, known, level);
    }
    double median = Levels.interpolate(levels, known, 0.5);
    double atEdge = Levels.interpolate(levels, known, edge);
    double ratio = ErrorDistribution.normalQuantile(level) / ErrorDistribution.normalQuantile(edge);
    return Math.max(0, median + (atEdge - median) * ratio);
  }

  @Override
  public String toString() {
    return "%d steps of %s from %s, first %s"
        .formatted(steps(), step, origin, Arrays.toString(values[0]));
  }
}
