package io.prescale.controller.api.v1alpha1;

/** What may forecast. */
public enum ForecastModel {
  /** A combination of all models, weighted by how well they did lately. */
  Auto,
  /** Quantile boosting over lags and the calendar. */
  Boosting,
  /** The highest demand a day before, moved by how today differs from it. */
  SeasonalNaive,
  /** The highest demand of the last ten minutes. */
  RecentPeak
}
