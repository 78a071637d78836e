package io.prescale.controller.autoscaling;

import io.prescale.forecasting.online.QuantileForecast;
import java.util.Optional;
import java.util.OptionalDouble;

/** Outlooks in which the day before is no better guide than the newest demand. */
final class Outlooks {
  private Outlooks() {}

  static Outlook outlook(
      Optional<QuantileForecast> forecast, boolean trusted, OptionalDouble newest) {
    return new Outlook(forecast, trusted, newest, OptionalDouble.empty());
  }
}
