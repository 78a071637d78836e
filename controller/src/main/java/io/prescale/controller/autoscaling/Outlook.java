package io.prescale.controller.autoscaling;

import io.prescale.forecasting.online.QuantileForecast;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a decision about one metric may go by.
 *
 * @param forecast the newest forecast, whether it is trusted or not
 * @param trusted whether forecasts are followed
 * @param newest demand during the newest completed step; empty when that is a gap
 * @param dayBefore highest demand a day before the forecast's window, where that has lately been a
 *     better guide than the newest demand
 */
public record Outlook(
    Optional<QuantileForecast> forecast,
    boolean trusted,
    OptionalDouble newest,
    OptionalDouble dayBefore) {

  /** The forecast, if it is to be followed. */
  Optional<QuantileForecast> followed() {
    return forecast.filter(_ -> trusted);
  }
}
