package io.prescale.forecasting;

import java.util.List;

/** Fits a model to a history. Immutable and thread-safe; the same input gives the same model. */
public interface Forecaster {
  /**
   * Fits a model that forecasts from the end of the history, or returns the reason for refusing.
   *
   * @param history may have missing steps, be constant, or be too short
   * @param seasons the seasons of the history; a forecaster ignores those that the history is too
   *     short for, and may use only the strongest
   */
  Fit fit(TimeSeries history, List<Season> seasons);
}
