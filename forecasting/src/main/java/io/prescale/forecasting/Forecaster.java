package io.prescale.forecasting;

import java.util.List;

/** Learns a model from history. Immutable and thread-safe; the same input gives the same model. */
public interface Forecaster {
  /** A short name, unique among the forecasters in use: {@code holt-winters}. */
  String name();

  /**
   * A model that has seen all of the history and forecasts from its end, or why there is none.
   *
   * @param history may have missing steps, be constant, or be too short
   * @param seasons what repeats in it; a forecaster ignores those that it has too little history
   *     for, and is free to use only the strongest
   */
  Fit fit(TimeSeries history, List<Season> seasons);

  /** The model whose {@link FittedForecaster#state()} this was, or why that is impossible. */
  Fit restore(double[] state);
}
