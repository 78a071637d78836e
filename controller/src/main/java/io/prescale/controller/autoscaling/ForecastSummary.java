package io.prescale.controller.autoscaling;

import io.prescale.forecasting.online.ForecastParts;
import io.prescale.forecasting.online.QuantileForecast;
import java.time.Duration;
import java.time.Instant;

/**
 * The forecast behind a decision: the highest demand in {@code [origin + lead, origin + lead +
 * window)}.
 *
 * @param origin end of the newest completed observation
 * @param lead that the forecaster looks ahead; lags behind a changed lead time until the forecaster
 *     is re-targeted
 * @param p50 demand that is exceeded half the time; likewise {@code p90}, {@code p95}, {@code p99}
 */
public record ForecastSummary(
    Instant origin,
    Duration lead,
    Duration window,
    double p50,
    double p90,
    double p95,
    double p99,
    ForecastParts parts) {
  static ForecastSummary of(QuantileForecast forecast) {
    return new ForecastSummary(
        forecast.origin(),
        forecast.lead(),
        forecast.window(),
        forecast.quantile(0.5),
        forecast.quantile(0.9),
        forecast.quantile(0.95),
        forecast.quantile(0.99),
        forecast.parts());
  }
}
