package io.prescale.forecasting.classic;

import java.util.Arrays;

/**
 * The seasonal indices of the classical decomposition (FPP3 §3.4): at each phase the mean of the
 * values relative to the centred moving average over a period. Every phase keeps its own index;
 * nothing is smoothed.
 *
 * <p>A moving average is missing where fewer than half as many values as usual are known; the index
 * of a phase without values is interpolated.
 */
record ClassicalDecomposition(boolean multiplicative, PeriodicProfile indices) {
  /** Dividing by smaller factors would amplify noise. */
  private static final double LEAST_FACTOR = 0.01;

  /** A decomposition without a season. */
  static ClassicalDecomposition none() {
    return new ClassicalDecomposition(false, PeriodicProfile.flat(1));
  }

  /**
   * Factors whose mean is 1 where all values are positive and no factor is near 0, terms whose mean
   * is 0 otherwise. O(values).
   *
   * @param phases of each value, from 0 to 1
   * @param period in steps, at least 2
   * @param indices how many indices to estimate
   */
  static ClassicalDecomposition of(double[] values, double[] phases, int period, int indices) {
    var averages = movingAverages(values, period);
    if (Arrays.stream(values).allMatch(value -> Double.isNaN(value) || value > 0)) {
      var factors = means(values, averages, phases, indices, true);
      if (Arrays.stream(factors).allMatch(factor -> factor >= LEAST_FACTOR)) {
        return new ClassicalDecomposition(true, new PeriodicProfile(factors));
      }
    }
    var terms = means(values, averages, phases, indices, false);
    return new ClassicalDecomposition(false, new PeriodicProfile(terms));
  }

  /** The mean of the period centred on each step; an even period takes half of both end steps. */
  private static double[] movingAverages(double[] values, int period) {
    int half = period / 2;
    var averages = new double[values.length];
    Arrays.fill(averages, Double.NaN);
    var sums = new double[values.length + 1];
    var counts = new int[values.length + 1];
    for (int i = 0; i < values.length; i++) {
      boolean known = !Double.isNaN(values[i]);
      sums[i + 1] = sums[i] + (known ? values[i] : 0);
      counts[i + 1] = counts[i] + (known ? 1 : 0);
    }
    double usual = (double) counts[values.length] / values.length * period;
    for (int i = half; i + half < values.length; i++) {
      double sum = sums[i + half + 1] - sums[i - half];
      double count = counts[i + half + 1] - counts[i - half];
      for (int end = i - half; end <= i + half && period % 2 == 0; end += period) {
        if (!Double.isNaN(values[end])) {
          sum -= values[end] / 2;
          count -= 0.5;
        }
      }
      averages[i] = count > 0 && 2 * count >= usual ? sum / count : Double.NaN;
    }
    return averages;
  }

  private static double[] means(
      double[] values, double[] averages, double[] phases, int indices, boolean factors) {
    var sums = new double[indices];
    var counts = new int[indices];
    for (int i = 0; i < values.length; i++) {
      double index = factors ? values[i] / averages[i] : values[i] - averages[i];
      if (!Double.isNaN(index)) {
        int k = (int) Math.round(phases[i] * indices) % indices;
        sums[k] += index;
        counts[k]++;
      }
    }
    for (int k = 0; k < indices; k++) {
      sums[k] = counts[k] == 0 ? Double.NaN : sums[k] / counts[k];
    }
    PeriodicProfile.bridgeUnknown(sums, factors ? 1 : 0);
    double mean = Arrays.stream(sums).average().orElseThrow();
    for (int k = 0; k < indices; k++) {
      sums[k] = factors ? sums[k] / mean : sums[k] - mean;
    }
    return sums;
  }

  /** The value without its season. */
  double without(double value, double phase) {
    return multiplicative ? value / indices.at(phase) : value - indices.at(phase);
  }

  /** The value with the season that {@link #without} took away. */
  double with(double deseasonalised, double phase) {
    return multiplicative ? deseasonalised * indices.at(phase) : deseasonalised + indices.at(phase);
  }
}
