package io.prescale.forecasting.online;

import java.util.List;

/**
 * What a forecast is made of, in the unit of the series: {@code level + season + correction +
 * event} is its median; {@code calibration} is what the observed errors add to its 95 % quantile.
 *
 * @param level where the series stands: its mean over the last ten minutes
 * @param season what the same stretch did on earlier days, relative to the same time then
 * @param correction what the models see in today's deviations, trend and recent movement
 * @param event what declared events change
 * @param calibration calibrated minus uncalibrated 95 % quantile
 * @param weights share of each forecaster in the combination
 */
public record ForecastParts(
    double level,
    double season,
    double correction,
    double event,
    double calibration,
    List<Weight> weights) {
  /** One forecaster's share in the combination. */
  public record Weight(String forecaster, double share) {}

  public ForecastParts {
    weights = List.copyOf(weights);
  }
}
