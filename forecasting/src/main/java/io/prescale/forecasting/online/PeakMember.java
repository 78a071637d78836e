package io.prescale.forecasting.online;

/** A kind of forecast that a {@link PeakForecaster} may combine. */
public enum PeakMember {
  /** Quantile boosting over lags and the calendar, above the last value and the recent peak. */
  BOOSTING,
  /** The highest demand a day before, plus today's difference from that day. */
  SEASONAL_NAIVE,
  /** The highest demand of the last ten minutes. */
  RECENT_PEAK
}
