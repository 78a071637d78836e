package io.prescale.controller.api.v1alpha1;

/** The forecasting models. */
public enum ForecastModel {
  /** All models, weighted by their recent accuracy. */
  Auto,
  /** Quantile boosting over lags and the calendar. */
  Boosting,
  /**
   * The highest demand at the same time a day earlier, shifted by the deviation of today from then.
   */
  SeasonalNaive,
  /** The highest demand of the last ten minutes. */
  RecentPeak
}
