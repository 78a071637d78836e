package io.prescale.controller.autoscaling;

import io.prescale.forecasting.online.QuantileForecast;
import java.util.List;
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
  /**
   * Whether it rests on less than it soon will: it cannot be judged yet, or does not follow the
   * series that it may.
   *
   * @param leading names of those series
   */
  boolean isIncomplete(List<String> leading) {
    return switch (trust.state()) {
      case LEARNING -> true;
      case CLOSED ->
          !leading.isEmpty() && forecast.filter(it -> !it.parts().leading().isEmpty()).isEmpty();
      case OPEN -> false;
    };
  }

  String metric() {
    return outcome.metric();
  }
}
