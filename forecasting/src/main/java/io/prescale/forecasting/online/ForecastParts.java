package io.prescale.forecasting.online;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The terms of a forecast, in the unit of the series: {@code level + season + correction + event}
 * is its median; {@code calibration} is what the observed errors add to its 95 % quantile.
 *
 * @param level mean of the series over the last ten minutes
 * @param season the value at the same time on earlier days, relative to the level then
 * @param correction what the models add for today's deviations and recent movement
 * @param event what declared events add
 * @param calibration calibrated minus uncalibrated 95 % quantile
 * @param weights share of each forecaster in the combination
 * @param relatives from how many other services a part of the forecast is borrowed; 0 if none is
 * @param leading the series that a part of the forecast follows
 */
public record ForecastParts(
    double level,
    double season,
    double correction,
    double event,
    double calibration,
    List<Weight> weights,
    int relatives,
    List<Leading> leading) {
  /** One forecaster's share in the combination. */
  public record Weight(String forecaster, double share) {
    /** The weights of the forecasters whose share is above 0. */
    static List<Weight> of(List<String> names, double[] shares) {
      return IntStream.range(0, shares.length)
          .filter(m -> shares[m] > 0)
          .mapToObj(m -> new Weight(names.get(m), shares[m]))
          .toList();
    }
  }

  /**
   * A leading series.
   *
   * @param lag after which demand follows it, as learned from the history
   */
  public record Leading(String series, Duration lag) {}

  /** The terms of a forecast of which nothing is borrowed, and that follows no other series. */
  public ForecastParts(
      double level,
      double season,
      double correction,
      double event,
      double calibration,
      List<Weight> weights) {
    this(level, season, correction, event, calibration, weights, 0, List.of());
  }

  public ForecastParts {
    weights = List.copyOf(weights);
    leading = List.copyOf(leading);
  }
}
