package io.prescale.controller.cli.forecast;

import io.prescale.forecasting.HistoryLength;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PathForecast;
import io.prescale.forecasting.online.PathForecaster;
import io.prescale.forecasting.online.PathSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SequencedSet;
import java.util.function.Consumer;

/**
 * Forecasts from one origin after another, each using only earlier observations. From the first
 * origin on, the models are refitted every 6 hours (or every step, if that is longer). In the week
 * before, in which they are scored and calibrated, they are fitted once a day; where less than a
 * week is known, at as many times, but no more often than afterwards.
 */
final class ForecastRun {
  private static final Duration REFIT = Duration.ofHours(6);
  private static final Duration WATCHED = Duration.ofDays(7);
  private static final int WATCHED_FITS = 7;

  private static final double MEDIAN = 0.5;

  /** The level of a change that is as large as possible. */
  private static final double OUTER = 0.95;

  private final TimeSeries observed;
  private final PathSettings settings;
  private final List<Double> levels;

  /** Receives the number of observations processed so far. */
  @FunctionalInterface
  interface Progress {
    void passed(long observations, long ofObservations);
  }

  /**
   * Creates a run without starting it.
   *
   * @param observed must start at the start of a forecast step
   */
  ForecastRun(TimeSeries observed, PathSettings settings, List<Double> levels) {
    if (observed.start().toEpochMilli() % settings.step().toMillis() != 0) {
      throw new IllegalArgumentException(
          "the series must start at the start of a step: " + observed.start());
    }
    this.observed = observed;
    this.settings = settings;
    this.levels = List.copyOf(levels);
  }

  /**
   * Forecasts from every origin where a forecast is possible.
   *
   * @param origins ascending, each the start of a forecast step
   */
  void forecast(SequencedSet<Instant> origins, Consumer<Fan> taker, Progress progress)
      throws InterruptedException {
    int first = observed.indexOf(origins.getFirst());
    int last = observed.indexOf(origins.getLast());
    int refitSteps = Math.max(1, Math.toIntExact(REFIT.dividedBy(observed.step())));
    int watchedFrom = Math.max(0, first - Math.toIntExact(WATCHED.dividedBy(observed.step())));
    int watchedSteps = Math.max(refitSteps, (first - watchedFrom) / WATCHED_FITS);
    var forecaster = new PathForecaster(observed.start(), settings);
    for (int i = 0; i <= last; i++) {
      int every = i < first ? watchedSteps : refitSteps;
      if (i > 0 && i >= watchedFrom && (i - first) % every == 0) {
        requireNotInterrupted();
        forecaster.refit();
        progress.passed(i, last);
      }
      if (origins.contains(observed.time(i))) {
        forecaster.forecast().ifPresent(path -> taker.accept(fan(path)));
        progress.passed(i, last);
      }
      if (i < last) {
        forecaster.observe(observed.value(i));
      }
    }
  }

  private Fan fan(PathForecast path) {
    var values = new double[path.steps()][levels.size()];
    for (int step = 0; step < values.length; step++) {
      for (int level = 0; level < levels.size(); level++) {
        values[step][level] =
            path.quantile(step, levels.get(level)) * change(path, step, levels.get(level));
      }
    }
    return new Fan(path.origin(), path.step(), levels, values);
  }

  /** Widens what is said after less than a day, without changing the median. */
  private double change(PathForecast path, int step, double level) {
    var seen = new HistoryLength(Duration.between(observed.start(), path.origin()));
    double possible = seen.possibleChange(path.step().multipliedBy(step + 1L));
    return Math.pow(possible, (level - MEDIAN) / (OUTER - MEDIAN));
  }

  private static void requireNotInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }
}
