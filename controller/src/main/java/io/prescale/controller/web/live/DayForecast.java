package io.prescale.controller.web.live;

import io.prescale.controller.web.TomorrowView.DeclaredEvent;
import io.prescale.controller.web.TomorrowView.Tomorrow;
import io.prescale.controller.web.live.ReplaySubject.RecordedMetric;
import io.prescale.forecasting.HistoryLength;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PathForecast;
import io.prescale.forecasting.online.PathForecaster;
import io.prescale.forecasting.online.PathSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Forecasts the 24 hours after a history of minutes: the models are fitted at the end of each of
 * its last days, so that the quantiles have been settled by some errors. Some seconds for two
 * weeks.
 */
final class DayForecast {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration STEP = Duration.ofMinutes(5);
  private static final Duration STALE_AFTER = Duration.ofMinutes(10);
  private static final int FITS = 4;
  private static final double MEDIAN = 0.5;
  private static final double P90 = 0.9;
  private static final double P95 = 0.95;

  private final ReplaySubject subject;
  private final RecordedMetric metric;
  private final TimeSeries history;

  private DayForecast(ReplaySubject subject, RecordedMetric metric, TimeSeries history) {
    this.subject = subject;
    this.metric = metric;
    this.history = history;
  }

  /** The forecast, or why the history does not allow one. */
  static Tomorrow of(ReplaySubject subject, RecordedMetric metric, TimeSeries history, Instant now)
      throws InterruptedException {
    long late = Math.floorMod(-history.start().toEpochMilli(), STEP.toMillis());
    int skipped = (int) Math.min(history.size(), late / history.step().toMillis());
    var aligned = history.slice(skipped, history.size());
    var known = Duration.between(aligned.start(), aligned.end());
    if (known.compareTo(DAY) < 0) {
      return new Tomorrow.Failed(
          new HistoryLength(known).sentence() + " A forecast of the next day needs 24 h.");
    }
    var age = Duration.between(aligned.end(), now);
    if (age.compareTo(STALE_AFTER) > 0) {
      return new Tomorrow.Failed(
          "The newest demand is %d min old, so the next day cannot be forecast."
              .formatted(age.toMinutes()));
    }
    return new DayForecast(subject, metric, aligned).forecast(now);
  }

  private Tomorrow forecast(Instant now) throws InterruptedException {
    var settings =
        new PathSettings(
            history.step(),
            STEP,
            DAY,
            subject.forecast().zone(),
            subject.forecast().calendar(),
            Duration.ofDays(28),
            1);
    var forecaster = new PathForecaster(history.start(), settings);
    int day = Math.toIntExact(DAY.dividedBy(history.step()));
    for (int i = 0; i < history.size(); i++) {
      forecaster.observe(history.value(i));
      int left = history.size() - 1 - i;
      if (left % day == 0 && left / day < FITS && i >= day) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        forecaster.refit();
      }
    }
    return forecaster
        .forecast()
        .<Tomorrow>map(path -> shown(path, now))
        .orElse(new Tomorrow.Failed("The newest demand is unknown, so nothing can be forecast."));
  }

  private Tomorrow shown(PathForecast path, Instant now) {
    var steps = IntStream.range(0, path.steps()).boxed().toList();
    var rules = subject.settings().rules();
    return new Tomorrow.Forecast(
        now,
        HistoryLength.of(history).sentence(),
        metric.name(),
        metric.capacityPerReplica(),
        rules.minReplicas(),
        rules.maxReplicas(),
        steps.stream().map(step -> path.time(step).getEpochSecond()).toList(),
        steps.stream().map(step -> observed(path.time(step).minus(DAY))).toList(),
        column(path, step -> path.quantile(step, MEDIAN)),
        column(path, step -> path.quantile(step, P90)),
        column(path, step -> path.quantile(step, P95)),
        events(path),
        subject.schedules().windows(path.origin(), path.time(path.steps())));
  }

  private static List<Double> column(PathForecast path, IntToDoubleFunction value) {
    return IntStream.range(0, path.steps()).mapToDouble(value).boxed().toList();
  }

  /** The mean of what was observed in a step. */
  private OptionalDouble observed(Instant begin) {
    int from = history.indexOf(begin);
    int steps = Math.toIntExact(STEP.dividedBy(history.step()));
    return IntStream.range(Math.max(0, from), Math.min(history.size(), from + steps))
        .mapToDouble(history::value)
        .filter(value -> !Double.isNaN(value))
        .average();
  }

  private List<DeclaredEvent> events(PathForecast path) {
    var end = path.time(path.steps());
    return subject.forecast().calendar().events().stream()
        .filter(it -> it.start().isBefore(end) && it.end().isAfter(path.origin()))
        .map(it -> new DeclaredEvent(it.name(), it.start(), it.end(), it.expectedFactor()))
        .toList();
  }
}
