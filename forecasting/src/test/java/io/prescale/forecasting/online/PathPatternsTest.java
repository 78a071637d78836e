package io.prescale.forecasting.online;

import static io.prescale.forecasting.SyntheticSeries.DAY;
import static io.prescale.forecasting.SyntheticSeries.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.EventCalendar;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A day ahead of services whose pattern is not a daily one. */
class PathPatternsTest {
  private static final int STEP = 15;
  private static final int STEPS = DAY / STEP;
  private static final int KNOWN = 14 * DAY;
  private static final LocalDate FIRST_DAY_AHEAD = LocalDate.of(2021, 6, 21);
  private static final PathSettings SETTINGS =
      new PathSettings(
          Duration.ofMinutes(1),
          Duration.ofMinutes(STEP),
          Duration.ofDays(1),
          ZoneOffset.UTC,
          EventCalendar.empty(),
          Duration.ofDays(28),
          1);

  private static PathForecast afterTwoWeeks(double[] values) {
    return afterTwoWeeks(values, SETTINGS);
  }

  private static PathForecast afterTwoWeeks(double[] values, PathSettings settings) {
    return after(KNOWN, values, settings);
  }

  /** The forecast after so many minutes, with a refit at the end of each day of the second half. */
  private static PathForecast after(int known, double[] values, PathSettings settings) {
    var forecaster = new PathForecaster(START, settings);
    for (int i = 0; i < known; i++) {
      forecaster.observe(values[i]);
      if (i > known / 2 && (i + 1) % DAY == 0) {
        forecaster.refit();
      }
    }
    return forecaster.forecast().orElseThrow();
  }

  /** Demand by the minute, with noise of up to 2 %. */
  private static double[] values(IntToDoubleFunction demand, long seed) {
    var random = new SplittableRandom(seed);
    double[] values = new double[KNOWN + DAY];
    Arrays.setAll(values, i -> demand.applyAsDouble(i) * random.nextDouble(0.98, 1.02));
    return values;
  }

  @Test
  void aWeekThatRepeatsItselfIsForecastAsItWas() {
    double[] hours = new SplittableRandom(7).doubles(7 * 24, 20, 200).toArray();
    double[] values = values(i -> hours[i / 60 % hours.length], 1);
    var forecast = afterTwoWeeks(values);
    for (int h = 0; h < STEPS; h++) {
      int from = KNOWN + STEP * h;
      double truth = Arrays.stream(values, from, from + STEP).average().orElseThrow();
      assertThat(forecast.quantile(h, 0.5)).as("step %d", h).isCloseTo(truth, within(truth / 50));
      assertThat(forecast.quantile(h, 0.9) - forecast.quantile(h, 0.1))
          .as("width of step %d", h)
          .isLessThan(truth / 10);
    }
  }

  @Test
  void aWeekThatWasSeenOnceIsFollowedFromTheEighthDayOn() {
    double[] hours = new SplittableRandom(7).doubles(7 * 24, 20, 200).toArray();
    double[] values = values(i -> hours[i / 60 % hours.length], 1);

    var forecast = after(8 * DAY, values, SETTINGS);

    double ours = 0;
    double dayBefore = 0;
    for (int h = 0; h < STEPS; h++) {
      int from = 8 * DAY + STEP * h;
      double truth = Arrays.stream(values, from, from + STEP).average().orElseThrow();
      ours += Math.abs(forecast.quantile(h, 0.5) - truth);
      dayBefore += Math.abs(values[from - DAY] - truth);
    }
    assertThat(ours).isLessThan(dayBefore / 4);
  }

  @Test
  void whatIsNewInTheLastMinutesCountsInTheNextHalfHour() {
    // What is new comes and goes within seven hours.
    double[] hours = new SplittableRandom(7).doubles(7 * 24, 20, 200).toArray();
    double[] values =
        values(i -> hours[i / 60 % hours.length] + 8 * Math.cos(2 * Math.PI * i / 421), 6);

    var forecast = afterTwoWeeks(values);

    for (int h = 0; h < 2; h++) {
      double usual = hours[0];
      assertThat(forecast.quantile(h, 0.5) - usual).as("step %d", h).isBetween(4.0, 8.0);
    }
  }

  @Test
  void aDayAheadOfARareJobBothStatesStand() {
    // A job of six hours 6 to 30 hours after the one before: a quarter of the time, at any hour.
    var random = new SplittableRandom(3);
    double[] demand = new double[KNOWN + DAY];
    Arrays.fill(demand, 10);
    for (int at = 0; at < demand.length; at += random.nextInt(12 * 60, 36 * 60)) {
      Arrays.fill(demand, at, Math.min(demand.length, at + 6 * 60), 100);
    }
    var forecast = afterTwoWeeks(values(i -> demand[i], 2));
    int idle = 0;
    for (int h = STEPS / 2; h < STEPS; h++) {
      idle += forecast.quantile(h, 0.5) < 20 ? 1 : 0;
      assertThat(forecast.quantile(h, 0.95)).as("step %d", h).isGreaterThan(80);
    }
    assertThat(idle).as("steps whose median is without the job").isGreaterThan(24);
  }

  @Test
  void aHolidayThatIsDeclaredIsForecastAsASunday() {
    double[] values = values(PathPatternsTest::working, 4);

    assertThat(meanOfTheDay(afterTwoWeeks(values))).as("a Monday").isCloseTo(100, within(5.0));
    assertThat(meanOfTheDay(afterTwoWeeks(values, withHoliday(FIRST_DAY_AHEAD))))
        .isCloseTo(20, within(10.0));
  }

  @Test
  void aHolidayThatIsOverLeavesNoEchoAWeekLater() {
    double[] values =
        values(i -> i / DAY == 7 ? working(i - DAY) : working(i), 5); // the second Monday
    double echo = 100 - meanOfTheDay(afterTwoWeeks(values));
    var declared = withHoliday(FIRST_DAY_AHEAD.minusDays(7));

    assertThat(echo).isGreaterThan(5);
    assertThat(100 - meanOfTheDay(afterTwoWeeks(values, declared))).isLessThan(echo / 2);
  }

  /** Demand of 100 on working days and Saturdays, of 20 on Sundays. */
  private static double working(int minute) {
    return minute / DAY % 7 == 6 ? 20 : 100;
  }

  private static double meanOfTheDay(PathForecast forecast) {
    return IntStream.range(0, STEPS)
        .mapToDouble(h -> forecast.quantile(h, 0.5))
        .average()
        .orElseThrow();
  }

  private static PathSettings withHoliday(LocalDate day) {
    return new PathSettings(
        SETTINGS.observedEvery(),
        SETTINGS.step(),
        SETTINGS.horizon(),
        SETTINGS.zone(),
        new EventCalendar(List.of(), List.of(), Set.of(day)),
        SETTINGS.remember(),
        SETTINGS.seed());
  }
}
