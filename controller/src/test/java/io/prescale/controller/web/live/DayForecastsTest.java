package io.prescale.controller.web.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.prescale.controller.autoscaling.ForecastSettings;
import io.prescale.controller.autoscaling.IdleRule;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.schedules.Cron;
import io.prescale.controller.schedules.Schedule;
import io.prescale.controller.schedules.ScheduledWindow;
import io.prescale.controller.schedules.Schedules;
import io.prescale.controller.simulation.replay.ReplaySettings;
import io.prescale.controller.web.TomorrowView.Tomorrow;
import io.prescale.controller.web.live.ReplaySubject.RecordedMetric;
import io.prescale.forecasting.TimeSeries;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DayForecastsTest {
  private static final Instant MONDAY = Instant.parse("2026-11-02T00:00:00Z");
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

  private final AtomicInteger asked = new AtomicInteger();
  private volatile Instant now = MONDAY.plus(Duration.ofDays(2));
  private volatile Instant knownUntil = now;
  private volatile boolean fails;
  private final DayForecasts forecasts =
      new DayForecasts(
          workload ->
              workload.equals("chat")
                  ? new ReplaySubjects.Found.Subject(subject())
                  : new ReplaySubjects.Found.Nothing("There is no " + workload + "."),
          new Histories(),
          () -> now);

  @AfterEach
  void close() {
    forecasts.close();
  }

  @Test
  void forecastsADayOfTheMetricInStepsOfFiveMinutes() {
    var forecast = (Tomorrow.Forecast) made();

    assertThat(forecast.metric()).isEqualTo("requests");
    assertThat(forecast.time()).hasSize(288).first().isEqualTo(now.getEpochSecond());
    assertThat(forecast.p50().get(144)).as("at noon").isBetween(170.0, 230.0);
    assertThat(forecast.p50().getFirst()).as("at midnight").isBetween(80.0, 120.0);
    assertThat(forecast.dayBefore().get(144)).hasValue(200);
  }

  @Test
  void theNextDayHasTheWindowsOfItsSchedules() {
    var forecast = (Tomorrow.Forecast) made();

    assertThat(forecast.schedules())
        .as("Wednesday's, and not Thursday's")
        .extracting(ScheduledWindow::schedule, ScheduledWindow::start, ScheduledWindow::end)
        .containsExactly(
            tuple(
                "office",
                Instant.parse("2026-11-04T08:00:00Z"),
                Instant.parse("2026-11-04T18:00:00Z")));
  }

  @Test
  void forecastsTheMetricThatIsAskedFor() {
    var tokens =
        (Tomorrow.Forecast)
            await()
                .atMost(Duration.ofMinutes(2))
                .until(
                    () -> forecasts.tomorrow("chat", Optional.of("tokens")),
                    it -> !(it instanceof Tomorrow.Computing));

    assertThat(tokens.metric()).isEqualTo("tokens");
    assertThat(tokens.capacityPerReplica()).isEqualTo(500);
    await()
        .until(
            () -> forecasts.tomorrow("chat", Optional.of("cards")),
            new Tomorrow.Failed("chat has no metric cards.")::equals);
  }

  @Test
  void doesNotTakeThePastForTheNextDay() {
    knownUntil = now.minus(Duration.ofHours(2));

    assertThat(made())
        .isEqualTo(
            new Tomorrow.Failed(
                "The newest demand is 120 min old, so the next day cannot be forecast."));
  }

  @Test
  void triesAgainAMinuteAfterAFailureAndNotBefore() {
    fails = true;
    assertThat(made()).isEqualTo(new Tomorrow.Failed("Prometheus is away."));
    forecasts.tomorrow("chat", Optional.empty());
    assertThat(asked).hasValue(1);

    fails = false;
    now = now.plusSeconds(61);
    knownUntil = now;
    await().untilAsserted(() -> assertThat(made()).isInstanceOf(Tomorrow.Forecast.class));
    assertThat(asked).hasValue(2);
  }

  @Test
  void aFailureDoesNotReplaceAForecast() {
    var forecast = made();
    fails = true;
    now = now.plus(Duration.ofMinutes(61));

    assertThat(forecasts.tomorrow("chat", Optional.empty())).isSameAs(forecast);
    await().until(() -> asked.get() == 2);
    assertThat(forecasts.tomorrow("chat", Optional.empty())).isSameAs(forecast);
  }

  @Test
  void saysThatThereIsNoSuchWorkload() {
    await()
        .until(
            () ->
                forecasts
                    .tomorrow("gone", Optional.empty())
                    .equals(new Tomorrow.Failed("There is no gone.")));
  }

  private Tomorrow made() {
    return await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> forecasts.tomorrow("chat", Optional.empty()),
            it -> !(it instanceof Tomorrow.Computing));
  }

  private static RecordedMetric recorded(String name, String query, double capacity) {
    var server = PrometheusServer.at(URI.create("http://a.b"));
    return new RecordedMetric(name, new MetricQuery("team", server, query, MINUTE), capacity);
  }

  private static ReplaySubject subject() {
    return new ReplaySubject(
        List.of(recorded("requests", "load", 10), recorded("tokens", "tokens", 500)),
        ReplaySettings.forCapacity(10),
        new Risk.Budget(0.005),
        IdleRule.USUAL_RISK,
        ForecastSettings.defaults(),
        new Schedules(List.of(OFFICE)),
        OptionalDouble.empty(),
        "a test");
  }

  /** Two days of 100, and 200 from 8 to 18 o'clock. */
  private final class Histories implements MetricSource {
    @Override
    public CompletableFuture<Reading> read(MetricQuery query, Instant after, Instant until) {
      throw new UnsupportedOperationException("only histories are read");
    }

    @Override
    public CompletableFuture<LatestReading> latest(MetricQuery query, Instant at) {
      throw new UnsupportedOperationException("only histories are read");
    }

    @Override
    public CompletableFuture<HistoryReading> history(MetricQuery query, Instant from, Instant to) {
      asked.incrementAndGet();
      if (fails) {
        var missing = new Reading.Missing(Reading.Reason.STALE, "Prometheus is away.");
        return CompletableFuture.completedFuture(new HistoryReading.NotFound(missing));
      }
      var values = new double[(int) Duration.between(MONDAY, knownUntil).toMinutes()];
      Arrays.setAll(values, i -> i % DAY >= 8 * 60 && i % DAY < 18 * 60 ? 200 : 100);
      return CompletableFuture.completedFuture(
          new HistoryReading.Found(TimeSeries.of(MONDAY, MINUTE, values)));
    }
  }
}
