package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.forecasting.EventCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** Demand of 100 a minute, but for what a scenario adds. */
class LoneObservationTest {
  private static final Instant START = Instant.parse("2026-11-02T00:00:00Z");
  private static final int DAY = 24 * 60;

  private DemandHistory history = historyOf(Duration.ofMinutes(1));
  private LoneObservation lone = new LoneObservation(history);

  private static DemandHistory historyOf(Duration step) {
    return new DemandHistory(START, step, ZoneOffset.UTC, EventCalendar.empty(), 30 * DAY);
  }

  private void observe(double... values) {
    for (double value : values) {
      history.add(value);
      lone.forget();
    }
  }

  private void repeat(int steps, double value) {
    for (int i = 0; i < steps; i++) {
      observe(value);
    }
  }

  @Test
  void aSampleThatTheNextDoesNotConfirmIsForgotten() {
    repeat(DAY, 100);

    observe(5_000);
    assertThat(history.actual(DAY)).as("until the next is there").isEqualTo(5_000);
    observe(100);

    assertThat(history.actual(DAY)).isNaN();
    assertThat(history.ordinary(DAY)).isNaN();
    assertThat(history.actual(DAY + 1)).isEqualTo(100);
  }

  @Test
  void aBurstOfTwoMinutesIsLoad() {
    repeat(DAY, 100);
    observe(5_000, 5_000, 100);

    assertThat(history.max(DAY, DAY + 3)).isEqualTo(5_000);
    assertThat(history.min(DAY, DAY + 3)).isEqualTo(100);
  }

  @Test
  void aMinuteThatRecursWithinADayIsLoad() {
    repeat(DAY, 100);
    for (int day = 0; day < 3; day++) {
      observe(500, 100);
      repeat(DAY - 2, 100);
    }

    assertThat(history.actual(DAY)).isNaN();
    assertThat(history.actual(2 * DAY)).isEqualTo(500);
    assertThat(history.actual(3 * DAY)).isEqualTo(500);
  }

  @Test
  void aJobOfEveryWeekIsLoadFromItsSecondTimeOn() {
    repeat(DAY, 100);
    observe(500);
    repeat(7 * DAY + 29, 100);
    observe(500);
    repeat(7 * DAY - 61, 100);
    observe(500, 100);

    assertThat(history.actual(DAY)).isNaN();
    assertThat(history.actual(8 * DAY + 30)).isEqualTo(500);
    assertThat(history.actual(15 * DAY - 30)).isEqualTo(500);
  }

  @Test
  void aJobOfWorkdaysIsLoadOnTheNextMonday() {
    repeat(DAY, 100);
    for (int day = 0; day < 8; day++) {
      observe(day % 7 < 5 ? 500 : 100);
      repeat(DAY - 1, 100);
    }

    assertThat(history.actual(DAY)).as("the first Monday").isNaN();
    assertThat(history.actual(5 * DAY)).as("Friday").isEqualTo(500);
    assertThat(history.actual(8 * DAY)).as("the next Monday").isEqualTo(500);
  }

  @Test
  void theNewestMayBeOneUntilTheNextIsThere() {
    repeat(DAY, 100);
    assertThat(lone.mayBeNewest()).isFalse();

    observe(5_000);
    assertThat(lone.mayBeNewest()).isTrue();
    observe(5_000);
    assertThat(lone.mayBeNewest()).isFalse();
  }

  @Test
  void whatIsNotThreeTimesAllOfTheLastDayIsLoad() {
    repeat(DAY, 100);
    observe(200, 200, 100, 100, 590, 100);

    assertThat(history.actual(DAY + 4)).isEqualTo(590);
  }

  /** A single request of a service that is mostly idle. */
  @Test
  void demandAfterNoneIsLoad() {
    repeat(DAY, 0);
    observe(1, 0, 0);

    assertThat(history.actual(DAY)).isEqualTo(1);
  }

  @Test
  void inStepsOfFiveMinutesAndInTheFirstHoursNothingIsForgotten() {
    repeat(5 * 60, 100);
    observe(5_000, 100);
    assertThat(history.actual(5 * 60)).isEqualTo(5_000);

    history = historyOf(Duration.ofMinutes(5));
    lone = new LoneObservation(history);
    repeat(DAY, 100);
    observe(5_000, 100);
    assertThat(history.actual(DAY)).isEqualTo(5_000);
  }

  @Test
  void besideWhatIsMissingNothingIsForgotten() {
    repeat(DAY, 100);
    observe(Double.NaN, 5_000, 100, 100);

    assertThat(history.actual(DAY + 1)).isEqualTo(5_000);
  }
}
