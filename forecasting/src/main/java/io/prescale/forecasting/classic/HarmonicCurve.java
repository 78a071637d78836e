package io.prescale.forecasting.classic;

import java.util.List;

/**
 * A straight line plus the sum of seasonal curves.
 *
 * @param level of the line at the last step of the history
 * @param slope of the line, per step
 * @param profiles one for each season
 */
record HarmonicCurve(double level, double slope, List<PeriodicProfile> profiles) {
  HarmonicCurve {
    profiles = List.copyOf(profiles);
  }

  /**
   * The value of the curve at a step.
   *
   * @param stepsAfter steps since the last of the history
   * @param phases of the step {@code i} at {@code [season][i]}
   */
  double at(double stepsAfter, double[][] phases, int i) {
    double value = level + slope * stepsAfter;
    for (int s = 0; s < phases.length; s++) {
      value += profiles.get(s).at(phases[s][i]);
    }
    return value;
  }
}
