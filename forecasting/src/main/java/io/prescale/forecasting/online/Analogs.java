package io.prescale.forecasting.online;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What followed in the past when demand was as it is now: an analog ensemble (Delle Monache et al.
 * 2013, Monthly Weather Review 141). Each past origin weighs by how near its demand was to today's,
 * so the quantiles have two peaks where the world has two states, such as a batch job that runs for
 * hours or does not. Not thread-safe.
 */
final class Analogs {
  private static final Duration LOOKS_BACK = Duration.ofDays(21);
  private static final Duration NOW = Duration.ofMinutes(10);

  /** The distance, in standard deviations of demand, at which two levels are no longer alike. */
  private static final double LEVEL_BANDWIDTH = 0.25;

  private static final double HOURS_BANDWIDTH = 2;

  /** The weight of what is not alike at all, so that the whole past counts where nothing is. */
  private static final double LEAST_WEIGHT = 1e-3;

  private final DemandHistory history;
  private final int day;
  private final int now;
  private int preparedFor = -1;
  private int from;
  private double[] atAnyTime = {};
  private double[] atThisTime = {};
  private int[] byValue = {};

  Analogs(DemandHistory history) {
    this.history = history;
    this.day = history.steps(Duration.ofDays(1));
    this.now = history.steps(NOW);
  }

  /**
   * The quantiles at step {@code t + h} by origins at any time of the day; null where less than a
   * day of origins is known.
   */
  double @Nullable [] quantiles(int t, int h, double[] levels) {
    prepare(t);
    return quantiles(h, levels, atAnyTime);
  }

  /** As {@link #quantiles}, by origins at about this time of the day. */
  double @Nullable [] quantilesAtThisTime(int t, int h, double[] levels) {
    prepare(t);
    return quantiles(h, levels, atThisTime);
  }

  /** Weighs every origin before t, and sorts the steps by their demand: once for all horizons. */
  private void prepare(int t) {
    if (preparedFor == t) {
      return;
    }
    preparedFor = t;
    from = Math.max(history.oldest() + now, t - history.steps(LOOKS_BACK));
    int origins = Math.max(0, t - from);
    atAnyTime = new double[origins];
    atThisTime = new double[origins];
    double today = history.mean(t - now, t);
    double bandwidth = LEVEL_BANDWIDTH * history.deviation(from, t);
    for (int i = 0; i < origins; i++) {
      double apart = (history.mean(from + i - now, from + i) - today) / bandwidth;
      if (!Double.isNaN(apart)) {
        double alike = Math.exp(-apart * apart / 2);
        atAnyTime[i] = alike + LEAST_WEIGHT;
        atThisTime[i] = alike * sameTime(from + i - t) + LEAST_WEIGHT;
      }
    }
    byValue =
        IntStream.range(from, Math.max(from, t))
            .filter(u -> !Double.isNaN(history.ordinary(u)))
            .boxed()
            .sorted((a, b) -> Double.compare(history.ordinary(a), history.ordinary(b)))
            .mapToInt(Integer::intValue)
            .toArray();
  }

  private double sameTime(int steps) {
    int apart = Math.floorMod(steps, day);
    double hours = 24.0 * Math.min(apart, day - apart) / day;
    return Math.exp(-hours * hours / (2 * HOURS_BANDWIDTH * HOURS_BANDWIDTH));
  }

  private double @Nullable [] quantiles(int h, double[] levels, double[] weights) {
    double total = 0;
    int known = 0;
    for (int u : byValue) {
      double weight = weight(weights, u - h);
      total += weight;
      known += weight > 0 ? 1 : 0;
    }
    if (known < day) {
      return null;
    }
    double[] quantiles = new double[levels.length];
    double below = 0;
    int q = 0;
    for (int k = 0; k < byValue.length && q < levels.length; k++) {
      below += weight(weights, byValue[k] - h);
      while (q < levels.length && below >= levels[q] * total) {
        quantiles[q++] = history.ordinary(byValue[k]);
      }
    }
    // The sum of the weights may miss the total by a rounding error.
    Arrays.fill(quantiles, q, levels.length, history.ordinary(byValue[byValue.length - 1]));
    return quantiles;
  }

  private double weight(double[] weights, int origin) {
    return origin < from ? 0 : weights[origin - from];
  }
}
