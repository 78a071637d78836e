package io.prescale.controller.autoscaling;

import io.prescale.forecasting.online.ForecastParts;
import io.prescale.forecasting.online.QuantileForecast;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;

/** Made-up forecasts. */
public final class Forecasts {
  private static final double[] LEVELS = {0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.998};

  private Forecasts() {}

  public static QuantileForecast of(double... values) {
    return at(Instant.EPOCH, values);
  }

  static QuantileForecast at(Instant origin, double... values) {
    return new QuantileForecast(
        origin,
        Duration.ofMinutes(5),
        Duration.ofMinutes(5),
        LEVELS,
        values,
        new ForecastParts(values[2], 0, 0, 0, 0, List.of()));
  }

  /** Certain demand. */
  public static QuantileForecast exactly(double value) {
    return of(value, value, value, value, value, value, value, value);
  }

  /** A median from 0 to 500, and tails of random length; sometimes some quantiles coincide. */
  public static QuantileForecast random(SplittableRandom random) {
    double[] values = new double[LEVELS.length];
    double value = 500 * random.nextDouble();
    double pace = Math.exp(6 * random.nextDouble() - 2);
    for (int q = 0; q < values.length; q++) {
      values[q] = value;
      value += random.nextInt(5) == 0 ? 0 : pace * random.nextDouble();
    }
    return of(values);
  }
}
