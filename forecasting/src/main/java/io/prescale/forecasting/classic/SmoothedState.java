package io.prescale.forecasting.classic;

/**
 * Level, trend and seasons of a Holt–Winters model, updated by one value at a time. Mutable.
 *
 * <p>An error of more than {@code clip} times the usual size moves the state as one of that size
 * would (Gelper, Fried & Croux 2010, Journal of Forecasting 29): a burst of a minute must not
 * become the level. The usual size adapts quickly to large errors, so a lasting shift of the level
 * is an outlier only for its first few values.
 */
final class SmoothedState {
  static final double USUAL_CLIP = 4;

  /** Weight of the newest error in the usual size. */
  private static final double SCALE_MEMORY = 0.02;

  /** Errors below this part of the level are never outliers, however quiet the series was. */
  private static final double NEVER_OUTLYING = 0.001;

  private final double clip;
  private final PeriodicProfile[] profiles;
  private double level;
  private double trend;
  private double scale;

  /** {@code scale} is the usual size of an error, 0 if unknown. */
  SmoothedState(
      double clip, double level, double trend, double scale, PeriodicProfile... profiles) {
    this.clip = clip;
    this.level = level;
    this.trend = trend;
    this.scale = scale;
    this.profiles = profiles;
  }

  SmoothedState copy() {
    var copies = new PeriodicProfile[profiles.length];
    for (int s = 0; s < copies.length; s++) {
      copies[s] = profiles[s].copy();
    }
    return new SmoothedState(clip, level, trend, scale, copies);
  }

  double level() {
    return level;
  }

  double trend() {
    return trend;
  }

  /** Moves the level and nothing else. */
  void shift(double by) {
    level += by;
  }

  /** The sum of the seasons at step {@code i}, whose phases are at {@code [season][i]}. */
  double seasonal(double[][] phases, int i) {
    double sum = 0;
    for (int s = 0; s < profiles.length; s++) {
      sum += profiles[s].at(phases[s][i]);
    }
    return sum;
  }

  /**
   * Updates the state with the value of step {@code i} of {@code phases}. O(1).
   *
   * @return the forecast's error; NaN if the value is missing
   */
  double observe(Smoothing smoothing, double value, double[][] phases, int i) {
    double damped = smoothing.phi() * trend;
    level += damped;
    trend = damped;
    if (Double.isNaN(value)) {
      return value;
    }
    double error = value - level - seasonal(phases, i);
    double clipped = clipped(error);
    level += smoothing.alpha() * clipped;
    trend += smoothing.beta() * clipped;
    for (int s = 0; s < profiles.length; s++) {
      profiles[s].adjust(phases[s][i], smoothing.gamma(s) * clipped);
    }
    return error;
  }

  private double clipped(double error) {
    double limit = clip * Math.max(scale, NEVER_OUTLYING * Math.abs(level));
    double clipped = scale > 0 ? Math.clamp(error, -limit, limit) : error;
    scale = Math.sqrt(scale * scale + SCALE_MEMORY * (clipped * clipped - scale * scale));
    return clipped;
  }
}
