package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.EventCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class PathReferenceTest {
  private static final int HOUR = 12;
  private static final int WEEK = 7 * 24 * HOUR;

  @Test
  void aWeekAgoAndWhatIsNewWhichFadesWithinAQuarterOfAnHour() {
    int t = WEEK + 9 * HOUR;
    var reference = reference(t, i -> i == t - 1 ? 58 : i % (24 * HOUR) < 9 * HOUR ? 50 : 80);

    assertThat(reference.pastWeeks(t, t)).isEqualTo(80);
    assertThat(reference.pastWeeksWithDeviation(t, t)).as("a jump at nine").isEqualTo(88);
    assertThat(reference.pastWeeksWithDeviation(t, t + 3)).isCloseTo(80 + 8 / Math.E, within(1e-9));
    assertThat(reference.pastWeeksWithDeviation(t, t + 5)).isCloseTo(81.51, within(0.01));
  }

  @Test
  void withoutANewestStepTheWeekBeforeStands() {
    int t = WEEK + HOUR;
    var reference = reference(t, i -> i == t - 1 ? Double.NaN : 50);
    assertThat(reference.pastWeeksWithDeviation(t, t)).isEqualTo(50);
  }

  @Test
  void withoutAWeekThereIsNone() {
    int t = WEEK - HOUR;
    assertThat(reference(t, _ -> 50).pastWeeksWithDeviation(t, t)).isNaN();
  }

  /** The Monday of the second week is a holiday, so that for the third one the first stands in. */
  @Test
  void aDayThatStandsInForAWeekWithAHolidayCountsOnce() {
    var holiday = new EventCalendar(List.of(), List.of(), Set.of(LocalDate.parse("2026-01-12")));
    var reference = reference(3 * WEEK, i -> 10 * (1 + i / WEEK), holiday);

    int fourthMonday = 3 * WEEK;
    assertThat(reference.pastWeeks(fourthMonday, fourthMonday)).as("of 30 and 10").isEqualTo(20);
  }

  /** Of a history by steps of five minutes. */
  private static PathReference reference(int steps, IntToDoubleFunction demand) {
    return reference(steps, demand, EventCalendar.empty());
  }

  private static PathReference reference(
      int steps, IntToDoubleFunction demand, EventCalendar calendar) {
    var history =
        new DemandHistory(
            Instant.parse("2026-01-05T00:00:00Z"),
            Duration.ofMinutes(5),
            ZoneOffset.UTC,
            calendar,
            4 * WEEK);
    for (int i = 0; i < steps; i++) {
      history.add(demand.applyAsDouble(i));
    }
    return new PathReference(history);
  }
}
