package io.prescale.forecasting.classic;

/**
 * Simple exponential smoothing with a drift (Hyndman and Billah 2003, International Journal of
 * Forecasting 19, eq. 9): the forecast h steps ahead after n values is
 *
 * <pre>
 * level + drift * (h - 1 + (1 - (1 - alpha)^n) / alpha),  level = level + alpha * (value - level)
 * </pre>
 *
 * Mutable; every method is O(1).
 */
final class DriftingSmoothing {
  private static final double LEAST_ALPHA = 0.01;
  private static final double GRID = 0.05;
  private static final int REFINEMENTS = 20;
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

  private final double alpha;
  private final double drift;
  private double level = Double.NaN;
  private int seen;

  DriftingSmoothing(double alpha, double drift) {
    this.alpha = alpha;
    this.drift = drift;
  }

  /** The alpha with the least sum of squared one-step errors, without drift, from 0.01 to 1. */
  static double bestAlpha(double[] values) {
    double best = LEAST_ALPHA;
    double least = Double.POSITIVE_INFINITY;
    for (double alpha = LEAST_ALPHA; alpha <= 1; alpha += GRID) {
      double squares = squaredErrors(values, alpha);
      if (squares < least) {
        least = squares;
        best = alpha;
      }
    }
    double low = Math.max(LEAST_ALPHA, best - GRID);
    double high = Math.min(1, best + GRID);
    for (int i = 0; i < REFINEMENTS; i++) {
      double lower = high - GOLDEN * (high - low);
      double upper = low + GOLDEN * (high - low);
      if (squaredErrors(values, lower) <= squaredErrors(values, upper)) {
        high = upper;
      } else {
        low = lower;
      }
    }
    return (low + high) / 2;
  }

  private static double squaredErrors(double[] values, double alpha) {
    double level = Double.NaN;
    double squares = 0;
    for (double value : values) {
      if (Double.isNaN(level)) {
        level = value;
      } else if (!Double.isNaN(value)) {
        double error = value - level;
        squares += error * error;
        level += alpha * error;
      }
    }
    return squares;
  }

  /** Takes in the next value; NaN changes nothing. */
  void observe(double value) {
    if (Double.isNaN(value)) {
      return;
    }
    level = seen == 0 ? value : level + alpha * (value - level);
    seen++;
  }

  double level() {
    return level;
  }

  /** The forecast this many steps ahead, relative to the level. */
  double trend(int stepsAhead) {
    return drift * (stepsAhead - 1 + (1 - Math.pow(1 - alpha, seen)) / alpha);
  }
}
