package io.prescale.forecasting;

/**
 * A fitted model: it forecasts from its newest observation and takes in further ones. Not
 * thread-safe: one thread observes and forecasts.
 */
public interface FittedForecaster {
  /**
   * Takes in the value of the next step. Updates level, trend and seasons by the model's recursion;
   * does not estimate its parameters again.
   *
   * @param value NaN when the step is missing; beyond 1e100 it counts as missing
   */
  void observe(double value);

  /** The central forecast for each of the next steps. */
  double[] path(int steps);
}
