package io.prescale.forecasting.online;

/**
 * Widens or narrows the quantiles on each side of the median so that they hold as often as their
 * levels say: adaptive conformal inference (Gibbs and Candès, NeurIPS 2021) on the logarithm of the
 * width. Each miss widens a side by {@code rate · level}, each hit narrows it by {@code rate · (1 −
 * level)}; the width stays within [0.6, 2.7] of the models'.
 */
final class AdaptiveWidth {
  private static final double RATE = 0.005;
  private static final double NARROWEST = -0.5;
  private static final double WIDEST = 1;

  private double lower;
  private double upper;

  /** Learns from an observed value and the quantiles forecast for it, before widening. */
  void learn(
      double truth, double median, double low, double lowLevel, double high, double highLevel) {
    boolean above = truth > median + (high - median) * Math.exp(upper);
    boolean below = truth < median - (median - low) * Math.exp(lower);
    upper = Math.clamp(upper + RATE * ((above ? 1 : 0) - (1 - highLevel)), NARROWEST, WIDEST);
    lower = Math.clamp(lower + RATE * ((below ? 1 : 0) - lowLevel), NARROWEST, WIDEST);
  }

  double widened(double value, double median) {
    return median + (value - median) * Math.exp(value > median ? upper : lower);
  }
}
