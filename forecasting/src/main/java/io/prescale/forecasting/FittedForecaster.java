package io.prescale.forecasting;

import java.time.Instant;

/**
 * A model that forecasts from the end of what it has seen, and keeps seeing. Not thread-safe: one
 * thread observes and forecasts.
 */
public interface FittedForecaster {
  /** Beginning of the step that is forecast first and observed next. */
  Instant next();

  /**
   * Takes in the value of the next step and moves on by one. Learns level, trend and seasons as the
   * model's recursion says; does not estimate its parameters anew.
   *
   * @param value NaN when the step is missing; beyond 1e100 it counts as missing
   */
  void observe(double value);

  /** The central forecast for each of the next steps. */
  double[] path(int steps);

  /** The standard deviation of the error of each element of {@link #path(int)}, as expected. */
  double[] spread(int steps);

  /**
   * What a forecast consists of.
   *
   * @param stepsAhead 1 for the next step: the parts of the first element of {@link #path(int)}
   */
  Parts parts(int stepsAhead);

  /** All that the model knows, for {@link Forecaster#restore(double[])}; may contain NaN. */
  double[] state();
}
