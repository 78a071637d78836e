package io.prescale.forecasting;

import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Forecasts a known series from one origin after another, each time from only the history before
 * it, and scores the forecasts (time series cross-validation, FPP3 §5.10).
 *
 * @param firstOrigin first step that is forecast
 * @param everySteps distance between origins
 * @param horizonSteps how many steps are forecast from each origin; at the end of the series fewer
 *     are scored
 * @param quantiles which quantiles to forecast, increasing, 0.5 among them
 * @param seasonSteps lag of the seasonal naive method that scales the error; 1 without a season
 */
public record RollingOriginBacktest(
    int firstOrigin, int everySteps, int horizonSteps, List<Double> quantiles, int seasonSteps) {
  private static final double MEDIAN = 0.5;

  public RollingOriginBacktest {
    quantiles = List.copyOf(quantiles);
    if (firstOrigin < 1 || everySteps < 1 || horizonSteps < 1 || seasonSteps < 1) {
      throw new IllegalArgumentException(
          "first origin %d, every %d, horizon %d and season %d must be positive steps"
              .formatted(firstOrigin, everySteps, horizonSteps, seasonSteps));
    }
    for (int q = 0; q < quantiles.size(); q++) {
      double before = q == 0 ? 0 : quantiles.get(q - 1);
      if (!(quantiles.get(q) > before && quantiles.get(q) < 1)) {
        throw new IllegalArgumentException("quantiles must increase between 0 and 1: " + quantiles);
      }
    }
    if (!quantiles.contains(MEDIAN)) {
      throw new IllegalArgumentException("quantiles must contain 0.5: " + quantiles);
    }
  }

  /** Scores {@code method} on a series; O(origins * (cost of a forecast + horizon * quantiles)). */
  public Accuracy run(TimeSeries series, QuantileMethod method) {
    var score = new Score(quantiles.size());
    for (int origin = firstOrigin; origin < series.size(); origin += everySteps) {
      var forecast = method.forecast(series.slice(0, origin), horizonSteps, quantiles);
      if (forecast.isEmpty()) {
        score.refusals++;
      } else {
        score.add(series, origin, forecast.get(), quantiles);
      }
    }
    var naive = naiveError(series.slice(0, Math.min(firstOrigin, series.size())));
    return score.accuracy(quantiles, naive);
  }

  /** Empty when it is zero or unknown. */
  private OptionalDouble naiveError(TimeSeries history) {
    double sum = 0;
    int count = 0;
    for (int i = seasonSteps; i < history.size(); i++) {
      double error = Math.abs(history.value(i) - history.value(i - seasonSteps));
      if (!Double.isNaN(error)) {
        sum += error;
        count++;
      }
    }
    return sum > 0 ? OptionalDouble.of(sum / count) : OptionalDouble.empty();
  }

  /** Sums over all origins. */
  private static final class Score {
    private final double[] loss;
    private final int[] covered;
    private double medianError;
    private int origins;
    private int refusals;
    private int steps;

    Score(int quantiles) {
      loss = new double[quantiles];
      covered = new int[quantiles];
    }

    void add(TimeSeries series, int origin, double[][] paths, List<Double> quantiles) {
      origins++;
      for (int h = 0; h < paths[0].length && origin + h < series.size(); h++) {
        double truth = series.value(origin + h);
        if (Double.isNaN(truth)) {
          continue;
        }
        steps++;
        for (int q = 0; q < loss.length; q++) {
          double quantile = quantiles.get(q);
          double excess = truth - paths[q][h];
          loss[q] += excess > 0 ? quantile * excess : (quantile - 1) * excess;
          covered[q] += excess <= 0 ? 1 : 0;
          medianError += quantile == MEDIAN ? Math.abs(excess) : 0;
        }
      }
    }

    Accuracy accuracy(List<Double> quantiles, OptionalDouble naiveError) {
      SortedMap<Double, Double> pinballLoss = new TreeMap<>();
      SortedMap<Double, Double> coverage = new TreeMap<>();
      for (int q = 0; steps > 0 && q < loss.length; q++) {
        pinballLoss.put(quantiles.get(q), loss[q] / steps);
        coverage.put(quantiles.get(q), (double) covered[q] / steps);
      }
      var scaledError =
          steps > 0 && naiveError.isPresent()
              ? OptionalDouble.of(medianError / steps / naiveError.getAsDouble())
              : OptionalDouble.empty();
      return new Accuracy(origins, refusals, steps, pinballLoss, coverage, scaledError);
    }
  }
}
