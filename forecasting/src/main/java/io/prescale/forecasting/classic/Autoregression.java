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

  /** coefficients: of the last value, the one before, and so on. */
  Autoregression(double[] coefficients) {
    this.coefficients = coefficients.clone();
  }

  /** values: NaN where missing; O(n * highestOrder). */
  static Autoregression fit(double[] values, int highestOrder) {
    var burg = new Burg(values);
    int present = burg.present();
    var best = new double[0];
    double least = Aicc.of(present, 0, burg.variance());
    int most = Math.min(highestOrder, present / 10);
    for (int order = 1; order <= most && burg.raiseOrder(); order++) {
      double criterion = Aicc.of(present, order, burg.variance());
      if (criterion < least) {
        least = criterion;
        best = burg.coefficients();
      }
    }
    return new Autoregression(best);
  }

  int order() {
    return coefficients.length;
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
