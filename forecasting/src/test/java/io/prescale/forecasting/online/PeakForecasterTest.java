package io.prescale.forecasting.online;

import static io.prescale.forecasting.SyntheticSeries.DAY;
import static io.prescale.forecasting.SyntheticSeries.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.SyntheticSeries;
import io.prescale.forecasting.online.ForecastParts.Weight;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeakForecasterTest {
  private static final PeakSettings SETTINGS = TestingSettings.refittedEvery(Duration.ofHours(12));

  @Test
  void beforeTheFirstObservationThereIsNoForecast() {
    var forecaster = new PeakForecaster(START, SETTINGS);
    assertThat(forecaster.forecast()).isEmpty();
    assertThat(forecaster.refitDue()).isFalse();
    assertThat(forecaster.next()).isEqualTo(START);
    assertThat(forecaster.refit().compute().model()).isEmpty();
  }

  @Test
  void minutesOfDataGiveAWideHonestInterval() {
    var run = PeakRun.of(SETTINGS, START, noisy(200, 3, 1));
    var early = run.after(5).orElseThrow();
    assertThat(early.quantile(0.5)).isCloseTo(100, within(15.0));
    assertThat(early.quantile(0.95)).isGreaterThan(120);
    assertThat(early.quantile(0.05)).isLessThan(90);
    for (int t = 1; t < 60; t++) {
      assertThat(run.after(t)).isPresent();
    }
    assertThat(run.coverage(0.95, 1, 60)).isGreaterThanOrEqualTo(0.95);
    assertThat(run.newest().quantile(0.95)).as("hours give a level").isLessThan(115);
  }

  @Test
  void aConstantSeriesIsForecastExactlyAndNarrowly() {
    var run = PeakRun.of(SETTINGS, START, noisy(2 * DAY, 0, 1));
    assertThat(run.newest().quantile(0.5)).isCloseTo(100, within(0.5));
    assertThat(run.newest().quantile(0.99)).isBetween(100.0, 103.0);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -5})
  void withoutDemandNoneIsForecast(double value) {
    var values = new double[DAY];
    Arrays.fill(values, value);
    var run = PeakRun.of(SETTINGS, START, values);
    assertThat(run.newest().quantile(0.5)).isBetween(0.0, 1e-300);
    assertThat(run.newest().quantile(0.998)).isBetween(0.0, 1.0);
  }

  @Test
  void demandThatBeginsAfterASilentDayIsFollowed() {
    var values = noisy(2 * DAY, 3, 2);
    Arrays.fill(values, 0, DAY, 0);
    var run = PeakRun.of(SETTINGS, START, values);
    var later = run.after(DAY + 360).orElseThrow();
    assertThat(later.quantile(0.5)).isCloseTo(105, within(15.0));
    assertThat(later.quantile(0.95)).isBetween(104.0, 200.0);
  }

  @Test
  void nightsWithoutDemandDoNotWidenTheTail() {
    var values = seasonal(8 * DAY, 5, 13);
    for (int i = 0; i < values.length; i++) {
      values[i] = i % DAY < 7 * 60 ? 0 : values[i];
    }
    var run = PeakRun.of(SETTINGS, START, values);
    double highest = Arrays.stream(values).max().orElseThrow();
    for (int t = 2 * DAY; t < run.size(); t++) {
      assertThat(run.after(t).orElseThrow().quantile(0.99))
          .as("step %d", t)
          .isLessThan(3 * highest);
    }
    int end = 8 * DAY - 10;
    assertThat(run.coverage(0.9, 3 * DAY, end)).isBetween(0.87, 0.99);
    assertThat(run.coverage(0.99, 3 * DAY, end)).isBetween(0.98, 1.0);
    var night = run.after(7 * DAY + 180).orElseThrow();
    assertThat(night.quantile(0.99)).as("in the middle of the night").isLessThan(10);
  }

  @Test
  void samplesOfAnHourAreForecastAfterADay() {
    var hourly =
        new PeakSettings(
            Duration.ofHours(1),
            Duration.ofHours(1),
            Duration.ofHours(2),
            ZoneOffset.UTC,
            EventCalendar.empty(),
            Duration.ofHours(12),
            Duration.ofDays(28),
            1,
            PeakSettings.EVERY_MEMBER);
    var values =
        SyntheticSeries.steps(Duration.ofHours(1), 14 * 24)
            .plus(100)
            .plus(SyntheticSeries.sine(24, 50))
            .noise(4, 0.5, 14)
            .build()
            .toArray();
    var run = PeakRun.of(hourly, START, values);
    assertThat(run.refits).as("two a day, more on the second").isBetween(26, 45);
    assertThat(run.medianError(24, 48)).as("from the level").isLessThan(30);
    assertThat(run.medianError(7 * 24, 14 * 24 - 3)).as("from the season").isLessThan(8);
    assertThat(run.coverage(0.9, 4 * 24, 14 * 24 - 3)).isBetween(0.8, 0.99);
  }

  @Test
  void combinesOnlyTheMembersThatWereChosen() {
    var settings = TestingSettings.combining(Set.of(PeakMember.SEASONAL_NAIVE), SETTINGS);
    var run = PeakRun.of(settings, START, seasonal(3 * DAY, 5, 3));

    assertThat(members(run.after(DAY / 2))).as("stands in").containsExactly("recent peak");
    assertThat(members(run.after(2 * DAY))).containsExactly("seasonal-naive");
    assertThat(members(PeakRun.of(SETTINGS, START, seasonal(3 * DAY, 5, 3)).after(2 * DAY)))
        .as("by default")
        .hasSizeGreaterThan(2);
  }

  @Test
  void boostingAloneForecastsOnceItWasFitted() {
    var settings = TestingSettings.combining(Set.of(PeakMember.BOOSTING), SETTINGS);
    var run = PeakRun.of(settings, START, seasonal(2 * DAY, 5, 3));

    assertThat(members(run.after(30))).containsExactly("recent peak");
    assertThat(members(run.after(DAY))).allMatch(name -> name.startsWith("boosted"));
  }

  private static List<String> members(Optional<QuantileForecast> forecast) {
    return forecast.orElseThrow().parts().weights().stream().map(Weight::forecaster).toList();
  }

  @Test
  void anAllMissingSeriesHasNoForecast() {
    var values = new double[500];
    Arrays.fill(values, Double.NaN);
    var run = PeakRun.of(SETTINGS, START, values);
    assertThat(run.forecaster.forecast()).isEmpty();
  }

  @Test
  void anOutageIsMissingAndNotZero() {
    var values = seasonal(4 * DAY, 5, 3);
    Arrays.fill(values, 3 * DAY, 3 * DAY + 120, Double.NaN);
    var run = PeakRun.of(SETTINGS, START, values);
    assertThat(run.after(3 * DAY + 5)).as("what was seen minutes ago still counts").isPresent();
    assertThat(run.after(3 * DAY + 60)).as("nothing was seen for an hour").isEmpty();
    double before = run.coverage(0.9, 2 * DAY, 3 * DAY - 10);
    double after = run.coverage(0.9, 3 * DAY + 121, 4 * DAY - 10);
    assertThat(after).isCloseTo(before, within(0.06));
    assertThat(run.medianError(3 * DAY + 121, 3 * DAY + 300))
        .isLessThan(2 * run.medianError(2 * DAY + 121, 2 * DAY + 300));
  }

  @Test
  void scatteredGapsHardlyMatter() {
    var values = seasonal(4 * DAY, 5, 4);
    var whole = PeakRun.of(SETTINGS, START, values);
    for (int i = 0; i < values.length; i++) {
      values[i] = i * 7919L % 10 < 3 ? Double.NaN : values[i];
    }
    var gappy = PeakRun.of(SETTINGS, START, values);
    assertThat(gappy.medianError(3 * DAY, 4 * DAY - 10))
        .isLessThan(1.3 * whole.medianError(3 * DAY, 4 * DAY - 10));
    assertThat(gappy.coverage(0.9, 2 * DAY, 4 * DAY - 10)).isCloseTo(0.9, within(0.04));
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e200})
  void refusesImpossibleDemandAndContinues(double value) {
    var run = PeakRun.of(SETTINGS, START, noisy(100, 3, 5));
    var before = run.forecaster.next();
    assertThatThrownBy(() -> run.forecaster.observe(value))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(run.forecaster.next()).isEqualTo(before);
    run.feed(100);
    assertThat(run.newest().quantile(0.5)).isCloseTo(103, within(10.0));
  }

  @Test
  void theLargestDemandsDoNotOverflow() {
    var values = noisy(400, 3, 6);
    for (int i = 0; i < values.length; i++) {
      values[i] *= 1e27;
    }
    var forecast = PeakRun.of(SETTINGS, START, values).newest();
    assertThat(forecast.quantile(0.5)).isCloseTo(1.04e29, within(5e27));
    assertThat(forecast.quantile(0.998)).isBetween(forecast.quantile(0.5), 2e29);
  }

  @Test
  void aLevelShiftIsLearnedWithinSixHours() {
    var values = seasonal(6 * DAY, 5, 7);
    int shift = 4 * DAY + 600;
    for (int i = shift; i < values.length; i++) {
      values[i] *= 3;
    }
    var run = PeakRun.of(PeakSettings.forLead(Duration.ofMinutes(5)), START, values);
    assertThat(run.coverage(0.9, shift + 360, shift + 720)).isBetween(0.8, 1.0);
    double level = 0;
    for (int t = shift + 360; t < shift + 420; t++) {
      level += run.truth(t) / 60;
    }
    assertThat(run.medianError(shift + 360, shift + 420)).isLessThan(0.15 * level);
  }

  @Test
  void twoDaysGiveADailySeason() {
    // A job that starts every day at noon without warning: only yesterday shows it.
    IntToDoubleFunction job = SyntheticSeries.pulse(DAY, 30, 200);
    var values =
        SyntheticSeries.minutes(4 * DAY)
            .plus(100)
            .plus(i -> job.applyAsDouble(i + DAY / 2))
            .noise(3, 0.5, 8)
            .build()
            .toArray();
    var run = PeakRun.of(PeakSettings.forLead(Duration.ofMinutes(5)), START, values);
    int noon = 3 * DAY + DAY / 2;
    var beforeNoon = run.after(noon - 7).orElseThrow();
    assertThat(beforeNoon.quantile(0.5)).as("a level alone says 105").isGreaterThan(230);
    assertThat(beforeNoon.parts().season()).isGreaterThan(150);
    var afternoon = run.after(noon + 300).orElseThrow();
    assertThat(afternoon.quantile(0.95)).isLessThan(140);
  }

  @Test
  void coverageIsWhatIsPromisedOnASeasonalSeries() {
    var run = PeakRun.of(SETTINGS, START, seasonal(8 * DAY, 5, 9));
    int end = 8 * DAY - 10;
    assertThat(run.coverage(0.5, 2 * DAY, end)).isCloseTo(0.5, within(0.04));
    assertThat(run.coverage(0.9, 2 * DAY, end)).isCloseTo(0.9, within(0.03));
    assertThat(run.coverage(0.95, 2 * DAY, end)).isCloseTo(0.95, within(0.03));
    assertThat(run.coverage(0.99, 2 * DAY, end)).isCloseTo(0.99, within(0.01));
  }

  @Test
  void quantilesAscendAndPartsSumToTheMedian() {
    var run = PeakRun.of(SETTINGS, START, seasonal(2 * DAY, 20, 10));
    for (int t = 1; t < run.size(); t += 17) {
      var forecast = run.after(t).orElseThrow();
      double[] values = Arrays.stream(PeakForecaster.LEVELS).map(forecast::quantile).toArray();
      assertThat(values).isSorted();
      var parts = forecast.parts();
      assertThat(parts.level() + parts.season() + parts.correction() + parts.event())
          .isCloseTo(forecast.quantile(0.5), within(1e-6));
      assertThat(parts.weights().stream().mapToDouble(ForecastParts.Weight::share).sum())
          .isCloseTo(1, within(1e-9));
    }
  }

  @Test
  void forecastsTheWindowThatIsAskedFor() {
    var forecast = PeakRun.of(SETTINGS, START, noisy(90, 1, 11)).newest();
    assertThat(forecast.origin()).isEqualTo(START.plus(Duration.ofMinutes(90)));
    assertThat(forecast.lead()).isEqualTo(Duration.ofMinutes(5));
    assertThat(forecast.window()).isEqualTo(Duration.ofMinutes(5));
    var atOnce = PeakSettings.forLead(Duration.ZERO);
    assertThat(PeakRun.of(atOnce, START, noisy(90, 1, 11)).newest().lead())
        .isEqualTo(Duration.ZERO);
  }

  @Test
  void twoRunsAreEqualToTheBit() {
    var values = seasonal(2 * DAY, 10, 12);
    var first = PeakRun.of(SETTINGS, START, values).newest();
    var second = PeakRun.of(SETTINGS, START, values).newest();
    assertThat(second.toString()).isEqualTo(first.toString());
    assertThat(second.parts()).isEqualTo(first.parts());
    var otherSeed = PeakRun.of(SETTINGS.withSeed(2), START, values).newest();
    assertThat(otherSeed.toString()).isNotEqualTo(first.toString());
  }

  private static double[] noisy(int minutes, double scale, long seed) {
    return SyntheticSeries.minutes(minutes).plus(100).noise(scale, 0.5, seed).build().toArray();
  }

  private static double[] seasonal(int minutes, double scale, long seed) {
    return SyntheticSeries.minutes(minutes)
        .plus(100)
        .plus(SyntheticSeries.workday(150))
        .noise(scale, 0.8, seed)
        .build()
        .toArray();
  }
}
