package io.prescale.forecasting.seasonality;

import static io.prescale.forecasting.SyntheticSeries.DAY;
import static io.prescale.forecasting.SyntheticSeries.WEEK;
import static io.prescale.forecasting.SyntheticSeries.minutes;
import static io.prescale.forecasting.SyntheticSeries.pulse;
import static io.prescale.forecasting.SyntheticSeries.sine;
import static io.prescale.forecasting.SyntheticSeries.steps;
import static io.prescale.forecasting.SyntheticSeries.weekend;
import static io.prescale.forecasting.SyntheticSeries.workday;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.prescale.forecasting.Season;
import io.prescale.forecasting.SyntheticSeries;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SeasonDetectorTest {
  private static final int TWO_WEEKS = 2 * WEEK;
  private static final Duration ONE_DAY = Season.DAY;
  private static final Duration ONE_WEEK = Season.WEEK;

  private final SeasonDetector detector = new SeasonDetector();

  @Test
  void atMostFivePercentOfSeriesWithoutASeasonSeemToHaveOne() {
    double[] coefficients = {0, 0.9, 0.99, 0.999, 1};
    int series = 0;
    int alarms = 0;
    for (double coefficient : coefficients) {
      for (long seed = 0; seed < 40; seed++) {
        var twoDays = minutes(2 * DAY).noise(1, coefficient, seed).build();
        var fourWeeks = steps(Duration.ofMinutes(5), 4 * WEEK / 5).noise(1, coefficient, seed);
        var twoWeeks = fourWeeks.build().slice(0, TWO_WEEKS / 5);
        for (var noise : List.of(twoDays, twoWeeks, fourWeeks.build())) {
          alarms += detector.detect(noise).isEmpty() ? 0 : 1;
          series++;
        }
      }
    }
    assertThat((double) alarms / series).isLessThanOrEqualTo(0.05);
  }

  @Test
  void aDaySeenTwiceIsFoundInNineOfTenSeries() {
    assertThat(
            shareOfSeeds(
                seed -> minutes(2 * DAY).plus(workday(3)).noise(1, 0.9, seed).build(),
                List.of(ONE_DAY)))
        .isGreaterThanOrEqualTo(0.9);
  }

  @Test
  void aDayAndAWeekSeenTwiceAreFoundInNineOfTenSeries() {
    assertThat(
            shareOfSeeds(
                seed ->
                    minutes(TWO_WEEKS)
                        .plus(workday(3))
                        .plus(weekend(1))
                        .noise(1, 0.9, seed)
                        .build(),
                List.of(ONE_WEEK, ONE_DAY)))
        .isGreaterThanOrEqualTo(0.9);
  }

  @Test
  void aWeekendThatIsOnlyAWeakerDayIsAWeek() {
    var series =
        minutes(3 * WEEK)
            .plus(i -> workday(i % WEEK >= 5 * DAY ? 1.5 : 3).applyAsDouble(i))
            .noise(1, 0.9, 1)
            .build();
    assertThat(periods(series)).containsExactly(ONE_WEEK, ONE_DAY);
  }

  @ParameterizedTest
  @CsvSource({"10", "45", "37", "60", "300", "480", "1560", "2880"})
  void anyPeriodIsFoundInNineOfTenSeries(int period) {
    assertThat(
            shareOfSeeds(
                seed -> minutes(TWO_WEEKS).plus(sine(period, 1)).noise(1, 0.9, seed).build(),
                List.of(Duration.ofMinutes(period))))
        .isGreaterThanOrEqualTo(0.9);
  }

  @Test
  void aDayAndJobsOfThreeQuartersOfAnHourAreBothFound() {
    var series = minutes(TWO_WEEKS).plus(workday(3)).plus(sine(45, 1)).noise(1, 0.9, 4).build();
    assertThat(periods(series)).containsExactly(ONE_DAY, Duration.ofMinutes(45));
  }

  @Test
  void aDayAndAnHourlyPeakOfThreeMinutesAreBothFound() {
    var series = minutes(TWO_WEEKS).plus(workday(3)).plus(pulse(60, 3, 3)).noise(1, 0.9, 4).build();
    assertThat(periods(series)).containsExactly(ONE_DAY, Duration.ofHours(1));
  }

  @Test
  void fiftyMinutesAreFoundInADay() {
    var series = minutes(DAY).plus(sine(50, 1)).noise(1, 0.9, 1).build();
    assertThat(periods(series)).containsExactly(Duration.ofMinutes(50));
  }

  @Test
  void harmonicsBelongToTheirFundamental() {
    var eightHours = minutes(TWO_WEEKS).plus(pulse(480, 60, 3)).noise(1, 0.5, 1).build();
    assertThat(periods(eightHours)).containsExactly(Duration.ofHours(8));
    var onceADay = minutes(TWO_WEEKS).plus(pulse(DAY, 20, 5)).noise(1, 0.5, 1).build();
    assertThat(periods(onceADay)).containsExactly(ONE_DAY);
  }

  @Test
  void theStrengthIsTheShareOfVarianceThatRepeats() {
    // Hourly means of a sine of variance 2 in white noise of variance 1 per half hour.
    var series = steps(Duration.ofMinutes(30), 28 * 48).plus(sine(48, 2)).noise(1, 0, 3).build();
    assertThat(detector.detect(series).getFirst().strength()).isBetween(0.62, 0.71);
  }

  @Test
  void aDayIsFoundAtEveryStepLength() {
    for (int minutes : new int[] {1, 5, 30, 60, 240}) {
      int perDay = 1440 / minutes;
      var series =
          steps(Duration.ofMinutes(minutes), 14 * perDay)
              .plus(sine(perDay, 2))
              .noise(1, 0.3, 2)
              .build();
      assertThat(periods(series)).as("%d min", minutes).containsExactly(ONE_DAY);
    }
  }

  @Test
  void missingDaysDoNotHideADayOrMakeOneUp() {
    var day = minutes(TWO_WEEKS).plus(workday(3)).noise(0.3, 0.9, 5).missing(6000, 9000).build();
    assertThat(periods(day)).containsExactly(ONE_DAY);
    var none = minutes(TWO_WEEKS).noise(1, 0.9, 5).missing(6000, 9000).missing(100, 700).build();
    assertThat(periods(none)).isEmpty();
  }

  @Test
  void aLevelShiftOrABurstIsNoSeasonAndHidesNone() {
    var shift = minutes(TWO_WEEKS).plus(i -> i > 9000 ? 10 : 0).noise(1, 0.9, 1).build();
    assertThat(periods(shift)).isEmpty();
    var bursts =
        minutes(TWO_WEEKS).plus(i -> i % 6100 < 50 ? 1e6 : 0).noise(1, 0.9, 1).plus(workday(3));
    assertThat(periods(bursts.build())).containsExactly(ONE_DAY);
  }

  @Test
  void aPeriodSeenLessThanTwiceIsNotFound() {
    var series = minutes(2 * DAY - 10).plus(workday(3)).noise(0.1, 0.5, 1).build();
    assertThat(periods(series)).doesNotContain(ONE_DAY);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 19, 20, 21, 50})
  void shortSeriesHaveNoSeason(int size) {
    assertThat(periods(minutes(size).noise(1, 0.5, 1).build())).isEmpty();
  }

  @Test
  void constantMissingAndStraightSeriesHaveNoSeason() {
    assertThat(periods(minutes(5000).plus(1e12).build())).isEmpty();
    assertThat(periods(minutes(5000).build())).isEmpty();
    assertThat(periods(minutes(5000).missing(0, 5000).build())).isEmpty();
    assertThat(periods(minutes(5000).plus(i -> 3.7 * i + 1e6).build())).isEmpty();
  }

  @Test
  void hugeAndTinyValuesAreJustAnotherUnit() {
    for (double unit : new double[] {1e-150, 1e150}) {
      var plain = minutes(3 * DAY).plus(workday(3)).noise(0.5, 0.9, 1).build().toArray();
      for (int i = 0; i < plain.length; i++) {
        plain[i] *= unit;
      }
      var series = TimeSeries.of(Instant.EPOCH, SyntheticSeries.MINUTE, plain);
      assertThat(periods(series)).containsExactly(ONE_DAY);
    }
  }

  @Test
  void arbitraryBytesDoNotFail() {
    var random = new Random(5);
    for (int round = 0; round < 50; round++) {
      var values = new double[random.nextInt(3000)];
      for (int i = 0; i < values.length; i++) {
        double any = Double.longBitsToDouble(random.nextLong());
        values[i] = Double.isInfinite(any) ? 0 : any;
      }
      var series = TimeSeries.of(Instant.EPOCH, SyntheticSeries.MINUTE, values);
      assertThatCode(() -> detector.detect(series)).doesNotThrowAnyException();
    }
  }

  private double shareOfSeeds(LongFunction<TimeSeries> series, List<Duration> expected) {
    int seeds = 20;
    int hits = 0;
    for (long seed = 0; seed < seeds; seed++) {
      hits += periods(series.apply(seed)).equals(expected) ? 1 : 0;
    }
    return (double) hits / seeds;
  }

  private List<Duration> periods(TimeSeries series) {
    return detector.detect(series).stream().map(Season::period).toList();
  }
}
