package io.prescale.forecasting.classic;

import java.time.Duration;
import java.util.Arrays;

/**
 * The lasting deviation from a fixed curve: the exponentially weighted mean of its residuals, with
 * the one of three half-lives that followed them best. Follows a detected shift at once. Mutable.
 */
final class DriftingLevel {
  private static final Duration[] HALF_LIVES = {
    Duration.ofDays(2), Duration.ofHours(12), Duration.ofHours(3)
  };

  /** A shorter half-life must reduce the error to this share, or it only follows the noise. */
  private static final double CLEARLY_BETTER = 0.98;

  /** The half-lives are compared by their forecasts of the residuals this far ahead. */
  private static final Duration LEAD = Duration.ofHours(12);

  private final double weight;
  private final ShiftDetector shifts;
  private double level;

  /**
   * @param weight of the newest residual in the level
   */
  private DriftingLevel(double weight, ShiftDetector shifts) {
    this.weight = weight;
    this.shifts = shifts;
  }

  /** Chooses the half-life that follows the residuals best; starts at level 0. O(n log n). */
  static DriftingLevel fit(double[] residuals, Duration step) {
    int ahead = Math.clamp(LEAD.dividedBy(step), 1, Math.max(1, residuals.length / 8));
    return Arrays.stream(HALF_LIVES)
        .map(halfLife -> new Trial(halfLife, step, residuals, ahead))
        .reduce((longer, shorter) -> shorter.isClearlyBetterThan(longer) ? shorter : longer)
        .orElseThrow()
        .winner();
  }

  /** Takes in a residual; NaN changes nothing. */
  void observe(double residual) {
    if (!Double.isNaN(residual)) {
      level += weight * (residual - level);
      level += shifts.observe(residual - level);
    }
  }

  double level() {
    return level;
  }

  /** How well a level of a given half-life forecasts residuals. */
  private static final class Trial {
    private final Duration step;
    private final double weight;
    private final double[] deviations;
    private final double meanError;

    Trial(Duration halfLife, Duration step, double[] residuals, int ahead) {
      this.step = step;
      weight = ShiftDetector.weightOfNewest(halfLife, step);
      deviations = new double[residuals.length];
      var level = new DriftingLevel(weight, ShiftDetector.never());
      double errors = 0;
      int count = 0;
      for (int i = 0; i < residuals.length; i++) {
        level.observe(residuals[i]);
        deviations[i] = residuals[i] - level.level;
        double later = i + ahead < residuals.length ? residuals[i + ahead] : Double.NaN;
        if (!Double.isNaN(later)) {
          errors += Math.abs(later - level.level);
          count++;
        }
      }
      meanError = errors / Math.max(1, count);
    }

    boolean isClearlyBetterThan(Trial other) {
      return meanError < CLEARLY_BETTER * other.meanError;
    }

    DriftingLevel winner() {
      return new DriftingLevel(weight, ShiftDetector.of(deviations, step));
    }
  }
}
