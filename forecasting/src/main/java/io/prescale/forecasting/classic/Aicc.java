package io.prescale.forecasting.classic;

/**
 * The corrected Akaike information criterion of a fit with normal errors: a regression (FPP3 §7.5)
 * or an autoregression (§9.6).
 */
final class Aicc {
  private Aicc() {}

  /**
   * The criterion, of which less is better; infinite where it is not defined.
   *
   * @param coefficients that were estimated, besides the variance
   * @param variance of the residuals
   */
  static double of(int values, int coefficients, double variance) {
    int parameters = coefficients + 1;
    int freedom = values - parameters - 1;
    return freedom > 0 && variance > 0
        ? values * Math.log(variance) + 2.0 * parameters * values / freedom
        : Double.POSITIVE_INFINITY;
  }
}
