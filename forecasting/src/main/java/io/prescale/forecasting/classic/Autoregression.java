package io.prescale.forecasting.classic;

/**
 * An autoregressive process of zero mean: each value is a weighted sum of the last ones, plus
 * noise. Immutable.
 *
 * <p>Fitted by Burg's method, which always gives a stationary process, over all stretches without a
 * missing value (de Waele & Broersen 2000, "The Burg algorithm for segments", IEEE Transactions on
 * Signal Processing 48); the order has the least AICc (FPP3 §9.6).
 */
final class Autoregression {
  private final double[] coefficients;
  private final double variance;

  /** coefficients: of the last value, the one before, and so on. */
  Autoregression(double[] coefficients, double variance) {
    this.coefficients = coefficients.clone();
    this.variance = variance;
  }

  /** values: NaN where missing; O(n * highestOrder). */
  static Autoregression fit(double[] values, int highestOrder) {
    var burg = new Burg(values);
    int present = burg.present();
    var best = new Autoregression(new double[0], burg.variance());
    double least = aicc(present, best);
    int most = Math.min(highestOrder, present / 10);
    for (int order = 1; order <= most && burg.raiseOrder(); order++) {
      var next = new Autoregression(burg.coefficients(), burg.variance());
      double criterion = aicc(present, next);
      if (criterion < least) {
        least = criterion;
        best = next;
      }
    }
    return best;
  }

  /** FPP3 §9.6, with the order and the variance as parameters. */
  private static double aicc(int n, Autoregression process) {
    int parameters = process.order() + 1;
    int freedom = n - parameters - 1;
    return freedom > 0 && process.variance > 0
        ? n * Math.log(process.variance) + 2.0 * parameters * n / freedom
        : Double.POSITIVE_INFINITY;
  }

  int order() {
    return coefficients.length;
  }

  /** The variance of the noise. */
  double variance() {
    return variance;
  }

  double[] coefficients() {
    return coefficients.clone();
  }

  /**
   * Predicts the deviation from {@code mean} of the value at index {@code end}.
   *
   * @param last the values before it, of a process with this mean
   */
  double next(double[] last, int end, double mean) {
    double next = 0;
    for (int k = 0; k < coefficients.length; k++) {
      next += coefficients[k] * (last[end - 1 - k] - mean);
    }
    return next;
  }

  /**
   * Variance of the error of each of the next steps, if that of the noise is 1: the sum of squares
   * of the moving-average weights (FPP3 §9.8). O(steps * order).
   */
  double[] relativeVariances(int steps) {
    var weights = new double[steps];
    var variances = new double[steps];
    double sum = 0;
    for (int h = 0; h < steps; h++) {
      weights[h] = h == 0 ? 1 : 0;
      for (int k = 0; k < Math.min(h, coefficients.length); k++) {
        weights[h] += coefficients[k] * weights[h - 1 - k];
      }
      sum += weights[h] * weights[h];
      variances[h] = sum;
    }
    return variances;
  }

  /** The part of each value that the process does not predict; NaN where a value is missing. */
  double[] innovations(double[] values) {
    var innovations = values.clone();
    for (int i = 0; i < values.length; i++) {
      for (int k = 0; k < coefficients.length; k++) {
        innovations[i] -= coefficients[k] * (k < i ? values[i - 1 - k] : Double.NaN);
      }
    }
    return innovations;
  }
}
