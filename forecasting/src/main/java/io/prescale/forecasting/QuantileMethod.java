package io.prescale.forecasting;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.commons.math3.distribution.NormalDistribution;

/** Any way to forecast quantiles from a history, to be tested by {@link RollingOriginBacktest}. */
@FunctionalInterface
public interface QuantileMethod {
  /**
   * Quantiles of each of the next steps, {@code [quantile][step]}; empty if the history is refused.
   */
  Optional<double[][]> forecast(TimeSeries history, int steps, List<Double> quantiles);

  /**
   * A forecaster with normal errors.
   *
   * @param seasons finds the seasons in a history
   */
  static QuantileMethod normal(Forecaster forecaster, Function<TimeSeries, List<Season>> seasons) {
    return (history, steps, quantiles) ->
        switch (forecaster.fit(history, seasons.apply(history))) {
          case Fit.Refused _ -> Optional.empty();
          case Fit.Fitted(var model) -> Optional.of(normal(model, steps, quantiles));
        };
  }

  private static double[][] normal(FittedForecaster model, int steps, List<Double> quantiles) {
    var standard = new NormalDistribution();
    var path = model.path(steps);
    var spread = model.spread(steps);
    var paths = new double[quantiles.size()][steps];
    for (int q = 0; q < paths.length; q++) {
      double deviation = standard.inverseCumulativeProbability(quantiles.get(q));
      for (int h = 0; h < steps; h++) {
        paths[q][h] = path[h] + deviation * spread[h];
      }
    }
    return paths;
  }
}
