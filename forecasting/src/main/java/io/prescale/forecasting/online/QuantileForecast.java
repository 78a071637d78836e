package io.prescale.forecasting.online;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/**
 * The distribution of the highest demand in the window {@code [origin + lead, origin + lead +
 * window)}, as quantiles at ascending levels. Immutable.
 */
public final class QuantileForecast {
  private final Instant origin;
  private final Duration lead;
  private final Duration window;
  private final double[] levels;
  private final double[] values;
  private final ForecastParts parts;

  /**
   * Creates a forecast that owns the given arrays.
   *
   * @param levels ascending in (0, 1), at least two
   * @param values one for each level, finite and not decreasing
   */
  public QuantileForecast(
      Instant origin,
      Duration lead,
      Duration window,
      double[] levels,
      double[] values,
      ForecastParts parts) {
    this.origin = origin;
    this.lead = lead;
    this.window = window;
    this.levels = levels;
    this.values = values;
    this.parts = parts;
  }

  /** The beginning of the first step that was not observed. */
  public Instant origin() {
    return origin;
  }

  public Duration lead() {
    return lead;
  }

  public Duration window() {
    return window;
  }

  public ForecastParts parts() {
    return parts;
  }

  /** The demand that is not exceeded with probability {@code level}. */
  public double quantile(double level) {
    return Levels.interpolate(levels, values, level);
  }

  /**
   * The demand that is not exceeded with this probability, extrapolated below the lowest quantile:
   * probability falls exponentially there, as fast as between the lowest two.
   *
   * @param probability at most the lowest level
   */
  public double lowTail(double probability) {
    double distances = Math.log(levels[0] / probability) / Math.log(levels[1] / levels[0]);
    return values[0] - Math.max(0, distances) * (values[1] - values[0]);
  }

  /** The lowest demand with an {@link #exceedance} of 0. */
  public double ceiling() {
    int last = levels.length - 1;
    return values[last] + 2 * (values[last] - values[last - 1]);
  }

  /**
   * The probability that demand exceeds {@code value}: linear between the quantiles; beyond the
   * highest it falls to 0 within twice the distance of the last two.
   */
  public double exceedance(double value) {
    int last = levels.length - 1;
    if (value >= ceiling()) {
      return 0;
    }
    if (value >= values[last]) {
      return (1 - levels[last]) * (ceiling() - value) / (ceiling() - values[last]);
    }
    if (value < values[0]) {
      return 1 - levels[0];
    }
    int above = 1;
    while (values[above] <= value) {
      above++;
    }
    double share = (value - values[above - 1]) / (values[above] - values[above - 1]);
    return 1 - (levels[above - 1] + share * (levels[above] - levels[above - 1]));
  }

  @Override
  public String toString() {
    return "demand within [%s + %s, + %s): %s at %s"
        .formatted(origin, lead, window, Arrays.toString(values), Arrays.toString(levels));
  }
}
