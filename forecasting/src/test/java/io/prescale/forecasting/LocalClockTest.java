package io.prescale.forecasting;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.stream.Stream;
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
  void aHolidayIsASundayAndWholeWeeksLeadToADayOfTheSameKind() {
    // Friday 1 October to Sunday 31 October 2021; the 12th, a Tuesday, and the 18th, a Monday, are
    // holidays.
    var holidays = Set.of(LocalDate.of(2021, 10, 12), LocalDate.of(2021, 10, 18));
    var clock =
        new LocalClock(Instant.parse("2021-09-30T22:00:00Z"), Duration.ofDays(1), BERLIN, holidays);

    assertThat(clock.dayOfWeek(11)).as("the 12th").isEqualTo(DayOfWeek.SUNDAY);
    assertThat(clock.dayOfWeek(12)).as("the 13th").isEqualTo(DayOfWeek.WEDNESDAY);
    assertThat(clock.lagSteps(11, 7)).as("the 12th to Sunday the 3rd").isEqualTo(9);
    assertThat(clock.lagSteps(18, 7)).as("Tuesday the 19th to the 5th").isEqualTo(14);
    assertThat(clock.lagSteps(17, 7)).as("the 18th to Sunday the 10th").isEqualTo(8);
    assertThat(clock.lagSteps(16, 7)).as("Sunday the 17th to the 10th").isEqualTo(7);
    assertThat(clock.lagSteps(12, 1)).as("the day before, of whatever kind").isEqualTo(1);
    assertThat(clock.lagSteps(18, 14)).as("Tuesday the 19th to the 5th").isEqualTo(14);
  }

  @Test
  void amongHolidaysWithoutEndSomeDayIsFound() {
    var monday = LocalDate.of(2021, 10, 4);
    var holidays = Stream.iterate(monday, it -> it.minusDays(7)).limit(60).collect(toSet());
    var clock =
        new LocalClock(
            Instant.parse("2021-10-11T00:00:00Z"), Duration.ofDays(1), ZoneOffset.UTC, holidays);

    assertThat(clock.lagSteps(0, 7)).isEqualTo(63);
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
