package io.prescale.forecasting.online;

import static io.prescale.forecasting.SyntheticSeries.DAY;
import static io.prescale.forecasting.SyntheticSeries.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.Event;
import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.ExcludedWindow;
import io.prescale.forecasting.SyntheticSeries;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Declared events, excluded windows and clock changes. */
class PeakCalendarTest {
  private static final PeakSettings SETTINGS = TestingSettings.refittedEvery(Duration.ofHours(8));
  private static final int EVENT = 2 * DAY + 600;

  @Test
  void aDeclaredFactorMultipliesFromTheFirstMinuteToTheLast() {
    var run = withEvent(OptionalDouble.of(2), 2);
    assertThat(medianOver100(run, EVENT - 30)).as("before").isCloseTo(1, within(0.15));
    assertThat(medianOver100(run, EVENT - 7)).as("window in it").isCloseTo(2, within(0.25));
    assertThat(medianOver100(run, EVENT + 60)).as("inside").isCloseTo(2, within(0.25));
    assertThat(medianOver100(run, EVENT + 115)).as("window after it").isCloseTo(1, within(0.2));
    assertThat(medianOver100(run, EVENT + 180)).as("after").isCloseTo(1, within(0.15));
    assertThat(run.after(EVENT + 60).orElseThrow().parts().event()).isCloseTo(100, within(25.0));
    assertThat(run.after(EVENT - 30).orElseThrow().parts().event()).isZero();
  }

  @Test
  void aFactorBelowOneLowersTheForecast() {
    var run = withEvent(OptionalDouble.of(0.5), 0.5);
    assertThat(medianOver100(run, EVENT - 7)).as("partly ordinary").isCloseTo(1, within(0.15));
    assertThat(medianOver100(run, EVENT - 3)).as("wholly inside").isCloseTo(0.5, within(0.1));
    assertThat(medianOver100(run, EVENT + 60)).isCloseTo(0.5, within(0.1));
  }

  @Test
  void aWrongFactorIsCorrectedByWhatIsSeen() {
    var run = withEvent(OptionalDouble.of(2), 3);
    assertThat(medianOver100(run, EVENT + 60)).isCloseTo(3, within(0.45));
  }

  @Test
  void anEventWithoutAFactorIsFollowedAndLeavesNoEcho() {
    var run = withEvent(OptionalDouble.empty(), 4);
    assertThat(medianOver100(run, EVENT + 60)).isCloseTo(4, within(0.6));
    assertThat(medianOver100(run, EVENT + DAY - 7)).as("next day").isCloseTo(1, within(0.15));
  }

  @Test
  void anExcludedIncidentLeavesNoEchoTheNextDay() {
    var calendar =
        new EventCalendar(
            List.of(), List.of(new ExcludedWindow("loop", at(EVENT), at(EVENT + 120))));
    var excluded = PeakRun.of(SETTINGS.withCalendar(calendar), START, spiked(EVENT, 6));
    var included = PeakRun.of(SETTINGS, START, spiked(EVENT, 6));
    int nextDay = EVENT + DAY - 7;
    assertThat(medianOver100(excluded, nextDay)).isCloseTo(1, within(0.12));
    assertThat(excluded.after(nextDay).orElseThrow().quantile(0.95)).isLessThan(125);
    assertThat(included.after(nextDay).orElseThrow().quantile(0.95))
        .as("for comparison")
        .isGreaterThan(excluded.after(nextDay).orElseThrow().quantile(0.95));
  }

  @Test
  void aClockChangeDoesNotMoveTheSeason() {
    var berlin = ZoneId.of("Europe/Berlin");
    Instant start = Instant.parse("2021-03-24T23:00:00Z"); // clocks change on the 28th
    var values = new double[5 * DAY];
    for (int i = 0; i < values.length; i++) {
      var clock = start.plus(Duration.ofMinutes(i)).atZone(berlin).toLocalTime();
      values[i] = 100 + (clock.getHour() == 12 ? 200 : 0) + i * 7919L % 11;
    }
    int noonOfTheSunday =
        (int) Duration.between(start, Instant.parse("2021-03-28T10:00:00Z")).toMinutes();
    assertThat(values[noonOfTheSunday - 1]).isLessThan(120);
    assertThat(values[noonOfTheSunday]).isGreaterThan(290);
    var local = PeakRun.of(SETTINGS.withZone(berlin), start, values);
    var utc = PeakRun.of(SETTINGS, start, values);
    assertThat(local.after(noonOfTheSunday - 7).orElseThrow().quantile(0.5)).isGreaterThan(280);
    assertThat(utc.after(noonOfTheSunday - 7).orElseThrow().quantile(0.5))
        .as("for comparison: blind to the clock")
        .isLessThan(200);
    assertThat(local.coverage(0.9, 3 * DAY, 5 * DAY - 20)).isBetween(0.8, 0.98);
  }

  @Test
  void onAHolidayThatIsDeclaredNoMorningIsForecast() {
    double[] values = Mornings.values(15, Mornings.RAMP);
    for (int i = 14 * DAY; i < values.length; i++) {
      values[i] = values[i - DAY]; // as on the Sunday before
    }
    var holiday = START.plus(Duration.ofDays(14)).atZone(SETTINGS.zone()).toLocalDate();
    var calendar = new EventCalendar(List.of(), List.of(), Set.of(holiday));

    var declared = PeakRun.of(SETTINGS.withCalendar(calendar), START, values);
    var unknown = PeakRun.of(SETTINGS, START, values);

    assertThat(morning(declared)).isLessThan(morning(unknown) / 2);
    assertThat(morning(unknown)).as("for comparison: a Monday").isGreaterThan(7);
  }

  /** How far medians of the half hour after 08:55 lie above the night's 20, on the average. */
  private static double morning(PeakRun run) {
    return IntStream.range(0, 6)
            .mapToDouble(i -> run.after(14 * DAY + 9 * 60 - 5 + 5 * i).orElseThrow().quantile(0.5))
            .average()
            .orElseThrow()
        - 20;
  }

  private static PeakRun withEvent(OptionalDouble declared, double happened) {
    var event = new Event("sale", at(EVENT), at(EVENT + 120), declared);
    var calendar = new EventCalendar(List.of(event), List.of());
    return PeakRun.of(SETTINGS.withCalendar(calendar), START, spiked(EVENT, happened));
  }

  /** Around 100, times a factor for two hours. */
  private static double[] spiked(int from, double factor) {
    double[] values = SyntheticSeries.minutes(4 * DAY).plus(100).noise(2, 0.5, 1).build().toArray();
    for (int i = from; i < from + 120; i++) {
      values[i] *= factor;
    }
    return values;
  }

  private static double medianOver100(PeakRun run, int t) {
    return run.after(t).orElseThrow().quantile(0.5) / 100;
  }

  private static Instant at(int minute) {
    return START.plus(Duration.ofMinutes(minute));
  }
}
