package io.prescale.controller.autoscaling;

import io.prescale.forecasting.online.QuantileForecast;
import java.util.Optional;

/**
 * What a tick expects of one metric.
 *
 * @param outcome what was learned about the metric before the forecast
 * @param forecast of the highest demand one lead time ahead, trusted or not; empty when there is
 *     none
 * @param trust what the breaker says
 */
public record MetricForecast(
    StepOutcome outcome, Optional<QuantileForecast> forecast, Trust trust) {
  String metric() {
    return outcome.metric();
  }
}
