package io.prescale.controller.web.live;

import io.prescale.controller.autoscaling.ForecastSettings;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.schedules.Cron;
import io.prescale.controller.schedules.Schedule;
import io.prescale.controller.schedules.Schedules;
import io.prescale.controller.simulation.replay.Caution;
import io.prescale.controller.simulation.replay.ReplaySettings;
import io.prescale.controller.web.live.ReplaySubject.RecordedMetric;
import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.TimeSeries;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Days of 100, and 200 from 8 to 18 o'clock, until a time; and how often they were asked for. */
final class Histories implements OnlyHistories {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int DAY = 1440;

  private static final Schedule OFFICE =
      new Schedule(
          "office",
          ZoneOffset.UTC,
          Cron.parse("0 8 * * 1-5"),
          Cron.parse("0 18 * * 1-5"),
          OptionalInt.of(10),
          OptionalInt.empty());

  private final Instant start;
  private final Supplier<Instant> knownUntil;
  private final AtomicInteger asked = new AtomicInteger();
  private volatile boolean fails;

  Histories(Instant start, Supplier<Instant> knownUntil) {
    this.start = start;
    this.knownUntil = knownUntil;
  }

  int asked() {
    return asked.get();
  }

  void fail() {
    fails = true;
  }

  void recover() {
    fails = false;
  }

  private static RecordedMetric recorded(String name, String query, double capacity) {
    var server = PrometheusServer.at(URI.create("http://a.b"));
    return new RecordedMetric(name, new MetricQuery("team", server, query, MINUTE), capacity);
  }

  /** Two metrics, replicas of two cards, and at least ten of them in working hours. */
  static ReplaySubject subject() {
    return subject(EventCalendar.empty());
  }

  /** The same with declared events. */
  static ReplaySubject subject(EventCalendar calendar) {
    var usual = ForecastSettings.defaults();
    return new ReplaySubject(
        List.of(recorded("requests", "load", 10), recorded("tokens", "tokens", 500)),
        ReplaySettings.forCapacity(10),
        Caution.of(new Risk.Budget(0.005)),
        new ForecastSettings(
            usual.step(),
            usual.window(),
            usual.remember(),
            usual.refitEvery(),
            usual.zone(),
            calendar,
            usual.seed(),
            usual.members()),
        new Schedules(List.of(OFFICE)),
        OptionalDouble.of(2),
        "a test");
  }

  @Override
  public CompletableFuture<HistoryReading> history(MetricQuery query, Instant from, Instant to) {
    asked.incrementAndGet();
    if (fails) {
      var missing = new Reading.Missing(Reading.Reason.STALE, "Prometheus is away.");
      return CompletableFuture.completedFuture(new HistoryReading.NotFound(missing));
    }
    var values = new double[(int) Duration.between(start, knownUntil.get()).toMinutes()];
    Arrays.setAll(values, i -> i % DAY >= 8 * 60 && i % DAY < 18 * 60 ? 200 : 100);
    return CompletableFuture.completedFuture(
        new HistoryReading.Found(TimeSeries.of(start, MINUTE, values)));
  }
}
