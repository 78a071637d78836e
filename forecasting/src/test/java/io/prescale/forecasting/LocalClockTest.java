package io.prescale.forecasting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalClockTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Season DAILY = new Season(Season.DAY, 1);
  private static final Season WEEKLY = new Season(Season.WEEK, 1);

  @Test
  void withoutAChangeYesterdayIsADayAgo() {
    var clock = berlinFrom("2021-06-01T00:00:00Z");

    assertThat(clock.lagSteps(5000, 1)).isEqualTo(1440);
    assertThat(clock.lagSteps(5000, 7)).isEqualTo(7 * 1440);
    assertThat(clock.lagSteps(-5000, 2)).isEqualTo(2 * 1440);
  }

  @Test
  void theDayAfterClocksGoBackYesterdayIsTwentyFiveHoursAgo() {
    // 2021-10-31: at 01:00 UTC, 03:00 summer time becomes 02:00.
    var clock = berlinFrom("2021-10-31T12:00:00+01:00");

    assertThat(clock.secondOfDay(0)).isEqualTo(12 * 3600);
    assertThat(clock.lagSteps(0, 1)).isEqualTo(25 * 60);
    assertThat(clock.lagSteps(0, 7)).isEqualTo(7 * 1440 + 60);
    assertThat(clock.lagSteps(1440, 1)).isEqualTo(1440);
  }

  @Test
  void theDayAfterClocksGoForwardYesterdayIsTwentyThreeHoursAgo() {
    // 2022-03-27: at 01:00 UTC, 02:00 becomes 03:00 summer time.
    var clock = berlinFrom("2022-03-27T12:00:00+02:00");

    assertThat(clock.lagSteps(0, 1)).isEqualTo(23 * 60);
    assertThat(clock.lagSteps(0, 7)).isEqualTo(7 * 1440 - 60);
  }

  @ParameterizedTest
  @CsvSource({"2021-10-29T00:00:00Z", "2022-03-25T00:00:00Z", "2022-01-01T00:00:00Z"})
  void stepsAgreeWithTheCalendarOfTheJdk(Instant start) {
    var clock = new LocalClock(start, MINUTE, BERLIN);
    for (int i = 0; i < 10 * 1440; i += 7) {
      var local = start.plus(MINUTE.multipliedBy(i)).atZone(BERLIN);
      assertThat(clock.secondOfDay(i)).isEqualTo(local.toLocalTime().toSecondOfDay());
      assertThat(clock.dayOfWeek(i)).isEqualTo(local.getDayOfWeek());
      for (int days : new int[] {1, 7}) {
        var lag = Duration.between(local.minusDays(days), local);
        assertThat(clock.lagSteps(i, days)).isEqualTo(lag.toMinutes());
      }
    }
  }

  @Test
  void aDailySeasonKeepsItsLocalTime() {
    var clock = berlinFrom("2021-10-30T18:00:00+02:00");
    int nextDay = 25 * 60;

    assertThat(clock.phase(0, DAILY)).isEqualTo(0.75).isEqualTo(clock.phase(nextDay, DAILY));
    assertThat(clock.phase(nextDay, WEEKLY) - clock.phase(0, WEEKLY))
        .isCloseTo(1 / 7.0, within(1e-12));
  }

  @Test
  void phasesOfARangeAreThoseOfItsSteps() {
    for (var start : new String[] {"2021-10-30T20:00:00Z", "2022-03-26T20:00:00Z"}) {
      var clock = new LocalClock(Instant.parse(start), MINUTE, BERLIN);
      for (var season : new Season[] {DAILY, WEEKLY, new Season(Duration.ofMinutes(45), 1)}) {
        var phases = clock.phases(-100, 800, season);
        for (int i = 0; i < phases.length; i++) {
          assertThat(phases[i]).isEqualTo(clock.phase(i - 100, season));
        }
      }
    }
  }

  @Test
  void aSeasonOfFortyFiveMinutesKeepsItsDistanceInstead() {
    var clock = berlinFrom("2021-10-30T18:00:00+02:00");
    var threeQuarters = new Season(Duration.ofMinutes(45), 1);

    assertThat(clock.phase(10 * 45, threeQuarters)).isEqualTo(clock.phase(0, threeQuarters));
    assertThat(clock.phase(40 * 45, threeQuarters)).isEqualTo(clock.phase(0, threeQuarters));
  }

  @Test
  void timesBeforeTheEpochHaveALocalTimeToo() {
    var clock = new LocalClock(Instant.parse("1969-12-31T23:30:00Z"), MINUTE, ZoneOffset.UTC);

    assertThat(clock.secondOfDay(0)).isEqualTo(LocalTime.of(23, 30).toSecondOfDay());
    assertThat(clock.dayOfWeek(0)).isEqualTo(DayOfWeek.WEDNESDAY);
    assertThat(clock.dayOfWeek(30)).isEqualTo(DayOfWeek.THURSDAY);
  }

  @Test
  void aLagThatIsNotAWholeNumberOfStepsIsRounded() {
    var clock = new LocalClock(Instant.EPOCH, Duration.ofMinutes(7), ZoneOffset.UTC);

    assertThat(clock.lagSteps(10_000, 1)).isEqualTo(206); // 205.7
    var weeks = new LocalClock(Instant.EPOCH, Duration.ofDays(7), ZoneOffset.UTC);
    assertThat(weeks.lagSteps(3, 1)).isEqualTo(1);
  }

  @Test
  void refusesAStepOfZeroLength() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LocalClock(Instant.EPOCH, Duration.ZERO, BERLIN));
  }

  private static LocalClock berlinFrom(String time) {
    return new LocalClock(OffsetDateTime.parse(time).toInstant(), MINUTE, BERLIN);
  }
}
