package io.prescale.forecasting.classic;

import io.prescale.forecasting.RobustScale;
import java.time.Duration;

/**
 * Detects a shift of the level by errors that stay on one side; a model that smooths over days
 * would take days to follow it. Mutable.
 *
 * <p>Exponentially weighted means of the errors and of their signs, with a half-life of 45 minutes:
 * when nearly all signs are the same and the mean error is far beyond its usual size, the level has
 * shifted by their ratio (in the spirit of the tracking signal of Trigg & Leach 1967, Operational
 * Research Quarterly 18). A shift is detected after two and a half hours; a burst of minutes never
 * is, however high.
 */
final class ShiftDetector {
  private static final Duration HALF_LIFE = Duration.ofMinutes(45);

  /** The mean sign from which errors count as one-sided. */
  private static final double ONE_SIDED = 0.9;

  /** The size of a mean error, in robust standard deviations, from which it is a shift. */
  private static final double SHIFT = 4;

  private final double weight;
  private final double usual;
  private double mean;
  private double meanSign;

  private ShiftDetector(double weight, double usual) {
    this.weight = weight;
    this.usual = usual;
  }

  /** A detector that never reports a shift. */
  static ShiftDetector never() {
    return new ShiftDetector(0, Double.MAX_VALUE);
  }

  /** Learns the usual size of the mean error from errors, NaN where missing. O(n log n). */
  static ShiftDetector of(double[] errors, Duration step) {
    double weight = weightOfNewest(HALF_LIFE, step);
    var means = new double[errors.length];
    double mean = 0;
    for (int i = 0; i < errors.length; i++) {
      mean += Double.isNaN(errors[i]) ? 0 : weight * (errors[i] - mean);
      means[i] = mean;
    }
    return new ShiftDetector(weight, RobustScale.of(means));
  }

  /** The weight of the newest value in an exponentially weighted mean with this half-life. */
  static double weightOfNewest(Duration halfLife, Duration step) {
    return 1 - Math.pow(2, -(double) step.toMillis() / halfLife.toMillis());
  }

  /** Takes in an error, NaN if missing, and returns the shift of the level, usually 0. */
  double observe(double error) {
    if (!Double.isNaN(error)) {
      mean += weight * (error - mean);
      meanSign += weight * (Math.signum(error) - meanSign);
    }
    if (Math.abs(meanSign) < ONE_SIDED || Math.abs(mean) <= SHIFT * usual) {
      return 0;
    }
    double shift = mean / Math.abs(meanSign);
    mean = 0;
    meanSign = 0;
    return shift;
  }
}
