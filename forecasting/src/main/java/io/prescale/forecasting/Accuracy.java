package io.prescale.forecasting;

import java.util.Collections;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The scores of the forecasts of a backtest.
 *
 * @param origins how many forecasts were scored
 * @param refusals how many origins had no forecast
 * @param steps how many forecast steps had a true value to be compared with
 * @param pinballLoss mean loss by quantile, in the unit of the series (FPP3 §5.9, without the
 *     factor 2); empty without steps, as is the coverage
 * @param coverage share of true values at or below the forecast, by quantile
 * @param scaledError mean absolute error of the median relative to that of the seasonal naive
 *     method on the history before the first origin (MASE, FPP3 §5.8); empty when that is zero or
 *     unknown
 */
public record Accuracy(
    int origins,
    int refusals,
    int steps,
    SortedMap<Double, Double> pinballLoss,
    SortedMap<Double, Double> coverage,
    OptionalDouble scaledError) {
  public Accuracy {
    pinballLoss = Collections.unmodifiableSortedMap(new TreeMap<>(pinballLoss));
    coverage = Collections.unmodifiableSortedMap(new TreeMap<>(coverage));
  }
}
