package io.prescale.forecasting.online;

import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * Turns a point forecaster into a quantile forecaster by its recent errors: a fading mean absolute
 * error, and for each level the quantile of the errors in its units, tracked by stochastic
 * approximation (Robbins and Monro 1951): it rises by {@code rate · level} at each error above and
 * falls by {@code rate · (1 − level)} at each below.
 */
final class PointErrors {
  private static final double RATE = 0.05;
  private static final double SIGMA_PER_MEAN_ABSOLUTE = Math.sqrt(Math.PI / 2);

  private final double[] levels;
  private final double[] scaled;
  private final double memory;
  private double meanAbsolute;
  private int seen;

  PointErrors(double[] levels, double memory) {
    this.levels = levels;
    this.scaled = new double[levels.length];
    this.memory = memory;
    var normal = new NormalDistribution(null, 0, SIGMA_PER_MEAN_ABSOLUTE);
    for (int q = 0; q < levels.length; q++) {
      scaled[q] = normal.inverseCumulativeProbability(levels[q]);
    }
  }

  void learn(double error) {
    if (Double.isNaN(error)) {
      return;
    }
    double z = error / Math.max(meanAbsolute, Double.MIN_NORMAL);
    for (int q = 0; q < levels.length && seen > 0; q++) {
      scaled[q] += RATE * (z > scaled[q] ? levels[q] : levels[q] - 1);
    }
    double n = Math.min(++seen, memory);
    meanAbsolute += (Math.abs(error) - meanAbsolute) / n;
  }

  /** The quantiles around a point forecast, which stays the median. */
  double[] around(double point, double fallbackScale) {
    double scale = seen == 0 ? fallbackScale : meanAbsolute;
    double[] quantiles = new double[levels.length];
    for (int q = 0; q < levels.length; q++) {
      quantiles[q] = levels[q] == 0.5 ? point : point + scaled[q] * scale;
    }
    return quantiles;
  }
}
