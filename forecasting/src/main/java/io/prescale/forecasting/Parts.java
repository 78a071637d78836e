package io.prescale.forecasting;

import java.util.List;

/**
 * The terms whose sum is a forecast, in the unit of the series.
 *
 * @param level where the series stands
 * @param trend how far the level will have moved by then
 * @param seasonal what each season adds
 * @param correction what recent deviations from the other terms add
 */
public record Parts(double level, double trend, List<Seasonal> seasonal, double correction) {
  /** What one season adds. */
  public record Seasonal(Season season, double value) {}

  public Parts {
    seasonal = List.copyOf(seasonal);
  }

  public double total() {
    double total = level + trend + correction;
    for (var part : seasonal) {
      total += part.value();
    }
    return total;
  }
}
