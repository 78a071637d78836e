package io.prescale.forecasting.classic;

import java.time.Duration;
import java.util.Arrays;

/**
 * What a fixed curve misses for long: the exponentially weighted mean of its residuals, with the
 * half-life, of three, that has followed them best; and at once where they have shifted. Mutable.
 */
final class DriftingLevel {
  private static final Duration[] HALF_LIVES = {
    Duration.ofDays(2), Duration.ofHours(12), Duration.ofHours(3)
  };

  /** A shorter half-life must reduce the error to this, or it only follows the noise. */
  private static final double CLEARLY_BETTER = 0.98;

  /** Best is what forecasts the residuals so long ahead. */
  private static final Duration LEAD = Duration.ofHours(12);

  private final double weight;
  private final ShiftDetector shifts;
  private final double varianceAhead;
  private final int stepsAhead;
  private double level;

  /**
   * @param weight of the newest residual in the level
   * @param varianceAhead mean square of what residuals do until {@code stepsAhead} steps later
   */
  private DriftingLevel(
      double weight, ShiftDetector shifts, double varianceAhead, int stepsAhead, double level) {
    this.weight = weight;
    this.shifts = shifts;
    this.varianceAhead = varianceAhead;
    this.stepsAhead = stepsAhead;
    this.level = level;
  }

  /** The level that has followed the residuals best, before it has seen any. O(n log n). */
  static DriftingLevel fit(double[] residuals, Duration step) {
    int ahead = Math.clamp(LEAD.dividedBy(step), 1, Math.max(1, residuals.length / 8));
    return Arrays.stream(HALF_LIVES)
        .map(halfLife -> new Trial(halfLife, step, residuals, ahead))
        .reduce((longer, shorter) -> shorter.isClearlyBetterThan(longer) ? shorter : longer)
        .orElseThrow()
        .winner();
  }

  /** residual: NaN if missing, which changes nothing. */
  void observe(double residual) {
    if (!Double.isNaN(residual)) {
      level += weight * (residual - level);
      level += shifts.observe(residual - level);
    }
  }

  double level() {
    return level;
  }

  /** Mean square of what residuals do until so many steps ahead, as far as that was measured. */
  double variance(int steps) {
    return varianceAhead * Math.min(1, (double) steps / stepsAhead);
  }

  void write(StateWriter writer) {
    writer.put(weight);
    shifts.write(writer);
    writer.put(varianceAhead).put(stepsAhead).put(level);
  }

  static DriftingLevel read(StateReader reader) {
    return new DriftingLevel(
        reader.between(0, 1),
        ShiftDetector.read(reader),
        reader.between(0, Double.MAX_VALUE),
        Math.max(1, reader.count(Integer.MAX_VALUE)),
        reader.finite());
  }

  /** How well a level of a given half-life forecasts residuals. */
  private static final class Trial {
    private final Duration step;
    private final double weight;
    private final int ahead;
    private final double[] deviations;
    private final double meanError;
    private final double meanSquare;

    Trial(Duration halfLife, Duration step, double[] residuals, int ahead) {
      this.step = step;
      this.ahead = ahead;
      weight = ShiftDetector.weightOfNewest(halfLife, step);
      deviations = new double[residuals.length];
      var level = new DriftingLevel(weight, ShiftDetector.never(), 0, ahead, 0);
      double errors = 0;
      double squares = 0;
      int count = 0;
      for (int i = 0; i < residuals.length; i++) {
        level.observe(residuals[i]);
        deviations[i] = residuals[i] - level.level;
        double later = i + ahead < residuals.length ? residuals[i + ahead] : Double.NaN;
        if (!Double.isNaN(later)) {
          errors += Math.abs(later - level.level);
          squares += (later - level.level) * (later - level.level);
          count++;
        }
      }
      meanError = errors / Math.max(1, count);
      meanSquare = squares / Math.max(1, count);
    }

    boolean isClearlyBetterThan(Trial other) {
      return meanError < CLEARLY_BETTER * other.meanError;
    }

    DriftingLevel winner() {
      return new DriftingLevel(weight, ShiftDetector.of(deviations, step), meanSquare, ahead, 0);
    }
  }
}
