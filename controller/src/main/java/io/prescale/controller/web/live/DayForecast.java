package io.prescale.controller.web.live;

import io.prescale.controller.plan.DayAhead;
import io.prescale.controller.web.TomorrowView.DeclaredEvent;
import io.prescale.controller.web.TomorrowView.Tomorrow;
import io.prescale.controller.web.live.ReplaySubject.RecordedMetric;
import io.prescale.forecasting.HistoryLength;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PathForecast;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Forecasts the 24 hours after a history of minutes: the models are fitted at the end of each of
 * its last days, so that the quantiles have been settled by some errors. Some seconds for two
 * weeks.
 */
final class DayForecast {
  private static final Duration STEP = Duration.ofMinutes(5);
  private static final int FITS = 4;
  private static final double MEDIAN = 0.5;
  private static final double P90 = 0.9;
  private static final double P95 = 0.95;

  private final ReplaySubject subject;
  private final RecordedMetric metric;
  private final DayAhead ahead;

  private DayForecast(ReplaySubject subject, RecordedMetric metric, DayAhead ahead) {
    this.subject = subject;
    this.metric = metric;
    this.ahead = ahead;
  }

  /** The forecast, or why the history does not allow one. */
  static Tomorrow of(ReplaySubject subject, RecordedMetric metric, TimeSeries history, Instant now)
      throws InterruptedException {
    return switch (DayAhead.of(history, STEP, subject.forecast(), FITS, now)) {
      case DayAhead.Outlook.Unknown(var sentence) -> new Tomorrow.Failed(sentence);
      case DayAhead.Outlook.Known(var ahead) ->
          new DayForecast(subject, metric, ahead).shown(ahead.path(), now);
    };
  }

  private Tomorrow shown(PathForecast path, Instant now) {
    var steps = IntStream.range(0, path.steps()).boxed().toList();
    var rules = subject.settings().rules();
    return new Tomorrow.Forecast(
        now,
        HistoryLength.of(ahead.history()).sentence(),
        metric.name(),
        metric.capacityPerReplica(),
        subject.cardsPerReplica(),
        rules.minReplicas(),
        rules.maxReplicas(),
        steps.stream().map(step -> path.time(step).getEpochSecond()).toList(),
        steps.stream().map(step -> ahead.highest(path.time(step).minus(DayAhead.DAY))).toList(),
        column(path, step -> path.quantile(step, MEDIAN)),
        column(path, step -> path.quantile(step, P90)),
        column(path, step -> path.quantile(step, P95)),
        events(path),
        subject.schedules().windows(path.origin(), path.time(path.steps())));
  }

  private static List<Double> column(PathForecast path, IntToDoubleFunction value) {
    return IntStream.range(0, path.steps()).mapToDouble(value).boxed().toList();
  }

  private List<DeclaredEvent> events(PathForecast path) {
    var end = path.time(path.steps());
    return subject.forecast().calendar().events().stream()
        .filter(it -> it.start().isBefore(end) && it.end().isAfter(path.origin()))
        .map(it -> new DeclaredEvent(it.name(), it.start(), it.end(), it.expectedFactor()))
        .toList();
  }
}
