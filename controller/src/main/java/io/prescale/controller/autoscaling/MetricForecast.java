package io.prescale.controller.autoscaling;

import io.prescale.forecasting.online.QuantileForecast;
import java.util.Optional;

/**
 * What a tick expects of one metric.
 *
 * @param observation that the forecast starts from
 * @param forecast of the highest demand one lead time ahead, trusted or not; empty when there is
 *     none
 * @param trust what the breaker says
 */
public record MetricForecast(
    Observation observation, Optional<QuantileForecast> forecast, Trust trust) {
  String metric() {
    return observation.metric();
  }
}
