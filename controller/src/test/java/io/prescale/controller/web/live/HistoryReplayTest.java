package io.prescale.controller.web.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.ForecastSettings;
import io.prescale.controller.web.Savings;
import io.prescale.forecasting.Event;
import io.prescale.forecasting.EventCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class HistoryReplayTest {
  private static final Instant MONDAY = Instant.parse("2026-03-02T00:00:00Z");
  private static final Instant END = MONDAY.plus(Duration.ofDays(4));
  private static final Event SALE =
      new Event(
          "sale",
          END.minus(Duration.ofHours(24)),
          END.minus(Duration.ofHours(12)),
          OptionalDouble.of(3));

  @Test
  void knowsTheDeclaredEventsOfItsSubject() throws InterruptedException {
    var plain = replicaHours(ForecastSettings.defaults());
    var withSale = replicaHours(withEvents(ForecastSettings.defaults(), SALE));

    assertThat(withSale - plain).as("replicas for a sale that is not seen").isGreaterThan(20);
  }

  @Test
  void goesByTheMinuteWhateverTheStepOfItsSubject() throws InterruptedException {
    var it = ForecastSettings.defaults();
    var coarse =
        new ForecastSettings(
            Duration.ofMinutes(5),
            Duration.ofMinutes(25),
            it.remember(),
            it.refitEvery(),
            it.zone(),
            it.calendar(),
            it.seed(),
            it.members());

    assertThat(replicaHours(coarse)).isEqualTo(replicaHours(it));
  }

  private static ForecastSettings withEvents(ForecastSettings it, Event... events) {
    return new ForecastSettings(
        it.step(),
        it.window(),
        it.remember(),
        it.refitEvery(),
        ZoneOffset.UTC,
        new EventCalendar(List.of(events), List.of()),
        it.seed(),
        it.members());
  }

  private static double replicaHours(ForecastSettings forecast) throws InterruptedException {
    var plain = Histories.subject();
    var subject =
        new ReplaySubject(
            plain.metrics().subList(0, 1),
            plain.settings(),
            plain.risk(),
            plain.riskAtZero(),
            forecast,
            plain.schedules(),
            plain.cardsPerReplica(),
            plain.source());
    var outcome =
        new HistoryReplay(subject, 1, (_, _) -> {}).until(END, new Histories(MONDAY, () -> END));
    var finished = (HistoryReplay.Finished) outcome;
    return ((Savings.Week.Judged) finished.week()).prescale().replicaHours();
  }
}
