package io.prescale.forecasting.online;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A forecaster fed with a series and refitted when due, and its forecasts. */
final class PeakRun {
  final PeakForecaster forecaster;
  private final PeakSettings settings;
  private final List<Optional<QuantileForecast>> forecasts = new ArrayList<>();
  private final List<Double> observed = new ArrayList<>();
  int refits;

  PeakRun(Instant start, PeakSettings settings) {
    this.settings = settings;
    this.forecaster = new PeakForecaster(start, settings);
    forecasts.add(forecaster.forecast());
  }

  static PeakRun of(PeakSettings settings, Instant start, double... values) {
    return new PeakRun(start, settings).feed(values);
  }

  PeakRun feed(double... values) {
    for (double value : values) {
      forecaster.observe(value);
      observed.add(value);
      if (forecaster.refitDue()) {
        forecaster.adopt(forecaster.refit().compute());
        refits++;
      }
      forecasts.add(forecaster.forecast());
    }
    return this;
  }

  /** The forecast made when {@code t} steps were known. */
  Optional<QuantileForecast> after(int t) {
    return forecasts.get(t);
  }

  QuantileForecast newest() {
    return forecasts.getLast().orElseThrow();
  }

  int size() {
    return observed.size();
  }

  /** The highest demand in the window that was forecast when {@code t} steps were known. */
  double truth(int t) {
    int from = t + (int) settings.lead().dividedBy(settings.step());
    int to = from + (int) settings.window().dividedBy(settings.step());
    double max = Double.NaN;
    for (int i = from; i < to; i++) {
      double value = observed.get(i);
      max = Double.isNaN(max) || value > max ? value : max;
    }
    return max;
  }

  /** The share of forecasts made in [from, to) whose window stayed at or below the quantile. */
  double coverage(double level, int from, int to) {
    int within = 0;
    int known = 0;
    for (int t = from; t < to; t++) {
      double truth = truth(t);
      if (forecasts.get(t).isPresent() && !Double.isNaN(truth)) {
        known++;
        within += truth <= forecasts.get(t).get().quantile(level) ? 1 : 0;
      }
    }
    return (double) within / known;
  }

  /** Mean absolute error of the median over the forecasts made in [from, to). */
  double medianError(int from, int to) {
    double sum = 0;
    for (int t = from; t < to; t++) {
      sum += Math.abs(truth(t) - forecasts.get(t).orElseThrow().quantile(0.5));
    }
    return sum / (to - from);
  }
}
