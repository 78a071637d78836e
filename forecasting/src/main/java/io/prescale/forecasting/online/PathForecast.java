package io.prescale.forecasting.online;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.apache.commons.math3.distribution.NormalDistribution;

/** The distribution of demand in each step of a horizon, as quantiles. Immutable. */
public final class PathForecast {
  private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);

  private final Instant origin;
  private final Duration step;
  private final double[] levels;
  private final double[][] values;

  /**
   * @param values {@code values[step][level]}, not decreasing in the level
   */
  PathForecast(Instant origin, Duration step, double[] levels, double[][] values) {
    this.origin = origin;
    this.step = step;
    this.levels = levels;
    this.values = values;
  }

  /** The beginning of the first step, which is the first that was not known. */
  public Instant origin() {
    return origin;
  }

  public Duration step() {
    return step;
  }

  /** How many steps are forecast. */
  public int steps() {
    return values.length;
  }

  public Instant time(int h) {
    return origin.plus(step.multipliedBy(h));
  }

  /**
   * Mean demand in step h that is not exceeded with probability {@code level}. Beyond the outermost
   * fitted levels (5 % and 95 %) the tail is taken to be normal.
   */
  public double quantile(int h, double level) {
    if (!(level > 0 && level < 1)) {
      throw new IllegalArgumentException("level must lie in (0, 1): " + level);
    }
    int last = levels.length - 1;
    double edge = level < levels[0] ? levels[0] : levels[last];
    if (level >= levels[0] && level <= levels[last]) {
      return Levels.interpolate(levels, values[h], level);
    }
    double median = Levels.interpolate(levels, values[h], 0.5);
    double atEdge = Levels.interpolate(levels, values[h], edge);
    double ratio =
        NORMAL.inverseCumulativeProbability(level) / NORMAL.inverseCumulativeProbability(edge);
    return Math.max(0, median + (atEdge - median) * ratio);
  }

  @Override
  public String toString() {
    return "%d steps of %s from %s, first %s"
        .formatted(values.length, step, origin, Arrays.toString(values[0]));
  }
}
