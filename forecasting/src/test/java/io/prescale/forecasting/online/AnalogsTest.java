package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.EventCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class AnalogsTest {
  private static final double[] LEVELS = {0.1, 0.5, 0.9};
  private static final Duration STEP = Duration.ofMinutes(5);
  private static final int HOUR = 12;
  private static final int DAY = 24 * HOUR;

  private static DemandHistory history(int steps, IntToDoubleFunction demand) {
    var history =
        new DemandHistory(
            Instant.parse("2026-01-05T00:00:00Z"),
            STEP,
            ZoneOffset.UTC,
            EventCalendar.empty(),
            60 * DAY);
    for (int i = 0; i < steps; i++) {
      history.add(demand.applyAsDouble(i));
    }
    return history;
  }

  /** A job of six hours every 31 hours: a fifth of the time. */
  private static double job(int i) {
    return i % (31 * HOUR) < 6 * HOUR ? 100 : 10;
  }

  @Test
  void aDayAheadBothStatesOfABatchJobArePossible() {
    int t = 14 * DAY;
    double[] quantiles =
        Objects.requireNonNull(
            new Analogs(history(t, AnalogsTest::job)).quantiles(t, DAY - 1, LEVELS));
    assertThat(quantiles).containsExactly(10, 10, 100);
  }

  @Test
  void soonTheStateIsTheOneThatIsNow() {
    int inJob = 10 * 31 * HOUR + 2 * HOUR;
    assertThat(new Analogs(history(inJob, AnalogsTest::job)).quantiles(inJob, 1, LEVELS))
        .containsExactly(100, 100, 100);
    int idle = 10 * 31 * HOUR + 8 * HOUR;
    assertThat(new Analogs(history(idle, AnalogsTest::job)).quantiles(idle, 1, LEVELS))
        .containsExactly(10, 10, 10);
  }

  @Test
  void atThisTimeOfTheDayFollowsTheClock() {
    // Flat but for a rise between 9 and 17 o'clock: at 7 the level says nothing, the hour does.
    IntToDoubleFunction office = i -> i % DAY >= 9 * HOUR && i % DAY < 17 * HOUR ? 50 : 5;
    int t = 13 * DAY + 7 * HOUR;
    var analogs = new Analogs(history(t, office));
    assertThat(analogs.quantilesAtThisTime(t, 5 * HOUR, LEVELS)).containsExactly(50, 50, 50);
    assertThat(analogs.quantiles(t, 5 * HOUR, LEVELS)).startsWith(5);
  }

  @Test
  void aLevelThatWasNeverSeenIsAnsweredByTheWholePast() {
    int t = 10 * DAY;
    var analogs = new Analogs(history(t, i -> i >= t - 2 ? 1e6 : i % 10));
    assertThat(Objects.requireNonNull(analogs.quantiles(t, HOUR, LEVELS))[1])
        .isCloseTo(4.5, within(0.5));
  }

  @Test
  void lessThanADayOfOriginsIsNotEnough() {
    int t = 2 * DAY;
    assertThat(new Analogs(history(t, AnalogsTest::job)).quantiles(t, DAY, LEVELS)).isNull();
    assertThat(new Analogs(history(t + HOUR, AnalogsTest::job)).quantiles(t + HOUR, DAY, LEVELS))
        .isNotNull();
  }

  @Test
  void gapsConstantsAndAnEmptyHistoryHaveNoAnalogs() {
    assertThat(new Analogs(history(0, _ -> 0)).quantiles(0, 1, LEVELS)).isNull();
    assertThat(new Analogs(history(5 * DAY, _ -> Double.NaN)).quantiles(5 * DAY, 1, LEVELS))
        .isNull();
    assertThat(new Analogs(history(5 * DAY, _ -> 7)).quantiles(5 * DAY, 1, LEVELS)).isNull();
    IntToDoubleFunction gapNow = i -> i > 5 * DAY - 3 ? Double.NaN : i % 10;
    assertThat(new Analogs(history(5 * DAY, gapNow)).quantiles(5 * DAY, 1, LEVELS)).isNull();
  }
}
