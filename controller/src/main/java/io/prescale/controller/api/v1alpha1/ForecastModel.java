package io.prescale.controller.api.v1alpha1;

/** What may forecast. */
public enum ForecastModel {
  /** A combination of all models, weighted by how well they did lately. */
  Auto,
  /** What was at this time a season ago. */
  SeasonalNaive,
  /** Level, trend and season, smoothed exponentially. */
  HoltWinters,
  /** Sines and cosines of the daily and weekly seasons. */
  HarmonicRegression
}
