package io.prescale.controller.cli.forecast;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** A forecast as quantiles of the mean demand in each step of a horizon. Immutable. */
final class Fan {
  private final Instant origin;
  private final Duration step;
  private final List<Double> levels;
  private final double[][] values;

  /**
   * Creates a forecast.
   *
   * @param origin start of the first step without an observation
   * @param levels ascending, each in (0, 1)
   * @param values {@code values[step][level]}
   */
  Fan(Instant origin, Duration step, List<Double> levels, double[][] values) {
    for (double[] row : values) {
      if (row.length != levels.size()) {
        throw new IllegalArgumentException(row.length + " values at " + levels.size() + " levels");
      }
    }
    this.origin = origin;
    this.step = step;
    this.levels = List.copyOf(levels);
    this.values = Arrays.stream(values).map(double[]::clone).toArray(double[][]::new);
  }

  Instant origin() {
    return origin;
  }

  Duration step() {
    return step;
  }

  int steps() {
    return values.length;
  }

  List<Double> levels() {
    return levels;
  }

  /** The start of a step, which may be after the last step. */
  Instant time(int atStep) {
    return origin.plus(step.multipliedBy(atStep));
  }

  Instant end() {
    return time(steps());
  }

  /** The value at the level with this index. */
  double value(int atStep, int level) {
    return values[atStep][level];
  }

  /** The index of the level closest to the median. */
  int medianLevel() {
    int closest = 0;
    for (int i = 1; i < levels.size(); i++) {
      if (Math.abs(levels.get(i) - 0.5) < Math.abs(levels.get(closest) - 0.5)) {
        closest = i;
      }
    }
    return closest;
  }
}
