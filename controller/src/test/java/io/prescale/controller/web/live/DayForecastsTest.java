package io.prescale.controller.web.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.prescale.controller.schedules.ScheduledWindow;
import io.prescale.controller.web.TomorrowView.DeclaredEvent;
import io.prescale.controller.web.TomorrowView.Tomorrow;
import io.prescale.forecasting.Event;
import io.prescale.forecasting.EventCalendar;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DayForecastsTest {
  private static final Instant MONDAY = Instant.parse("2026-11-02T00:00:00Z");

  private static final EventCalendar EVENTS =
      new EventCalendar(
          List.of(
              event("launch", "2026-11-04T20:00:00Z", "2026-11-04T21:00:00Z"),
              event("into the next day", "2026-11-04T23:00:00Z", "2026-11-05T02:00:00Z"),
              event("the next day", "2026-11-05T00:00:00Z", "2026-11-05T01:00:00Z")),
          List.of());

  private static Event event(String name, String start, String end) {
    return new Event(name, Instant.parse(start), Instant.parse(end), OptionalDouble.of(1.5));
  }

  private volatile Instant now = MONDAY.plus(Duration.ofDays(2));
  private volatile Instant knownUntil = now;
  private final Histories histories = new Histories(MONDAY, () -> knownUntil);
  private final DayForecasts forecasts =
      new DayForecasts(
          workload ->
              workload.equals("chat")
                  ? new ReplaySubjects.Found.Subject(Histories.subject(EVENTS))
                  : new ReplaySubjects.Found.Nothing("There is no " + workload + "."),
          histories,
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
    assertThat(forecast.cardsPerReplica()).hasValue(2);
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
  void theNextDayHasItsDeclaredEvents() {
    var forecast = (Tomorrow.Forecast) made();

    assertThat(forecast.events())
        .as("what begins at its end is of the day after")
        .extracting(DeclaredEvent::name, DeclaredEvent::start, DeclaredEvent::factor)
        .containsExactly(
            tuple("launch", Instant.parse("2026-11-04T20:00:00Z"), OptionalDouble.of(1.5)),
            tuple(
                "into the next day",
                Instant.parse("2026-11-04T23:00:00Z"),
                OptionalDouble.of(1.5)));
    assertThat(forecast.p50().get(20 * 12 + 6)).as("half past eight").isBetween(125.0, 175.0);
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
    histories.fail();
    assertThat(made()).isEqualTo(new Tomorrow.Failed("Prometheus is away."));
    forecasts.tomorrow("chat", Optional.empty());
    assertThat(histories.asked()).isEqualTo(1);

    histories.recover();
    now = now.plusSeconds(61);
    knownUntil = now;
    await().untilAsserted(() -> assertThat(made()).isInstanceOf(Tomorrow.Forecast.class));
    assertThat(histories.asked()).isEqualTo(2);
  }

  @Test
  void aFailureDoesNotReplaceAForecast() {
    var forecast = made();
    histories.fail();
    now = now.plus(Duration.ofMinutes(61));

    assertThat(forecasts.tomorrow("chat", Optional.empty())).isSameAs(forecast);
    await().until(() -> histories.asked() == 2);
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
}
