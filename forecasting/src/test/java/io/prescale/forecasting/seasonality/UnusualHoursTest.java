package io.prescale.forecasting.seasonality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.ExcludedWindow;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.seasonality.UnusualHours.UnusualStretch;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two weeks of minutes from a Monday on: a noisy daily wave, a tenth of it at weekends. */
class UnusualHoursTest {
  private static final Instant MONDAY = Instant.parse("2026-03-02T00:00:00Z");
  private static final int HOUR = 60;
  private static final int DAY = 24 * HOUR;

  private final double[] demand = new double[14 * DAY];

  UnusualHoursTest() {
    var random = new SplittableRandom(1);
    for (int minute = 0; minute < demand.length; minute++) {
      double wave = 100 - 60 * Math.cos(2 * Math.PI * minute / DAY);
      boolean isWeekend = minute / DAY % 7 >= 5;
      demand[minute] = wave * (isWeekend ? 0.1 : 1) * (1 + 0.05 * random.nextGaussian());
    }
  }

  private List<UnusualStretch> found() {
    return found(EventCalendar.empty());
  }

  private List<UnusualStretch> found(EventCalendar calendar) {
    return UnusualHours.in(
        TimeSeries.of(MONDAY, Duration.ofMinutes(1), demand), ZoneOffset.UTC, calendar);
  }

  private void fill(int day, int fromHour, int toHour, double value) {
    Arrays.fill(demand, day * DAY + fromHour * HOUR, day * DAY + toHour * HOUR, value);
  }

  @Test
  void weekendsAreNone() {
    assertThat(found()).isEmpty();
  }

  @Test
  void hoursWithoutDemandOnAWorkday() {
    fill(8, 9, 15, 0);

    assertThat(found())
        .containsExactly(
            new UnusualStretch(
                Instant.parse("2026-03-10T09:00:00Z"), Instant.parse("2026-03-10T15:00:00Z"), 0));
  }

  @Test
  void anHourOfRetriesAndAnHourOfSilenceAreTwo() {
    fill(1, 9, 10, 1_000);
    fill(1, 10, 11, 1);

    assertThat(found()).hasSize(2);
    assertThat(found().getFirst().timesUsual()).isCloseTo(6.8, within(0.2));
    assertThat(found().getFirst().end()).isEqualTo(found().getLast().start());
    assertThat(found().getLast().timesUsual()).isCloseTo(0.007, within(0.001));
  }

  @Test
  void aSecondOneAtTheSameHourHidesNeither() {
    fill(1, 9, 12, 1);
    fill(8, 9, 12, 1);

    assertThat(found()).hasSize(2);
  }

  /** A launch that goes on, or an outage that is not over, is not an incident to leave out yet. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 2_000})
  void whatDoesNotEndIsNone(double value) {
    fill(11, 12, 24, value);
    fill(12, 0, 48, value);

    assertThat(found()).isEmpty();
  }

  @Test
  void hoursThatAreMissingAreNone() {
    fill(8, 9, 15, Double.NaN);

    assertThat(found()).isEmpty();
  }

  @Test
  void aServiceThatIsHardlyUsedHasNone() {
    Arrays.fill(demand, 0);
    fill(2, 9, 10, 50);
    fill(9, 14, 15, 50);

    assertThat(found()).isEmpty();
  }

  @Test
  void aDeclaredHolidayIsLikeASunday() {
    for (int minute = 8 * DAY; minute < 9 * DAY; minute++) {
      demand[minute] *= 0.1;
    }
    var declared = new EventCalendar(List.of(), List.of(), Set.of(LocalDate.parse("2026-03-10")));

    assertThat(found())
        .singleElement()
        .satisfies(it -> assertThat(it.timesUsual()).isCloseTo(0.1, within(0.01)));
    assertThat(found(declared)).isEmpty();
  }

  /** Two like it are known, and would make a third look usual. */
  @Test
  void hoursThatAreExcludedAreNotCompared() {
    for (int day : new int[] {1, 2, 8}) {
      fill(day, 9, 12, 1);
    }
    var excluded =
        IntStream.of(1, 2)
            .mapToObj(day -> MONDAY.plus(Duration.ofDays(day)))
            .map(it -> new ExcludedWindow("outage", it, it.plus(Duration.ofDays(1))))
            .toList();

    assertThat(found()).isEmpty();
    assertThat(found(new EventCalendar(List.of(), excluded, Set.of()))).hasSize(1);
  }

  /** From nine to six of the local time, before and after clocks go forward. */
  @Test
  void workingHoursFollowTheLocalTime() {
    var berlin = ZoneId.of("Europe/Berlin");
    var start = Instant.parse("2026-03-18T00:00:00Z");
    for (int minute = 0; minute < demand.length; minute++) {
      int hour = start.plusSeconds(60L * minute).atZone(berlin).getHour();
      demand[minute] = hour >= 9 && hour < 18 ? 100 : 10;
    }
    var series = TimeSeries.of(start, Duration.ofMinutes(1), demand);

    assertThat(UnusualHours.in(series, berlin, EventCalendar.empty())).isEmpty();
    assertThat(UnusualHours.in(series, ZoneOffset.UTC, EventCalendar.empty())).isNotEmpty();
  }

  @Test
  void stepsThatDoNotDivideAnHourHaveNone() {
    fill(8, 9, 15, 0);
    var series = TimeSeries.of(MONDAY, Duration.ofMinutes(7), demand);

    assertThat(UnusualHours.in(series, ZoneOffset.UTC, EventCalendar.empty())).isEmpty();
  }
}
