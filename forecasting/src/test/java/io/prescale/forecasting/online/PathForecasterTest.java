package io.prescale.forecasting.online;

import static io.prescale.forecasting.SyntheticSeries.DAY;
import static io.prescale.forecasting.SyntheticSeries.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.Event;
import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.SyntheticSeries;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathForecasterTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int QUARTER_HOURS = 96;

  @Test
  void beforeTheFirstObservationThereIsNoForecast() {
    var forecaster = new PathForecaster(START, settings(EventCalendar.empty()));
    assertThat(forecaster.forecast()).isEmpty();
    forecaster.refit();
    assertThat(forecaster.forecast()).isEmpty();
    assertThat(forecaster.next()).isEqualTo(START);
  }

  @Test
  void aDayAheadBeatsSeasonalNaiveOnASeasonThatGrows() {
    double[] values =
        SyntheticSeries.minutes(9 * DAY)
            .plus(100)
            .plus(SyntheticSeries.workday(150))
            .plus(i -> 20.0 * i / DAY)
            .noise(15, 0.9, 1)
            .build()
            .toArray();
    var forecaster = new PathForecaster(START, settings(EventCalendar.empty()));
    double ours = 0;
    double naive = 0;
    int below = 0;
    int steps = 0;
    for (int day = 0; day < 8; day++) {
      feed(forecaster, values, day * DAY, (day + 1) * DAY);
      forecaster.refit();
      if (day < 4) {
        continue;
      }
      var forecast = forecaster.forecast().orElseThrow();
      for (int h = 0; h < QUARTER_HOURS; h++) {
        double truth = mean(values, (day + 1) * DAY + 15 * h);
        ours += Math.abs(truth - forecast.quantile(h, 0.5));
        naive += Math.abs(truth - mean(values, day * DAY + 15 * h));
        below += truth <= forecast.quantile(h, 0.9) ? 1 : 0;
        steps++;
      }
    }
    assertThat(ours / naive).isLessThan(0.75);
    assertThat((double) below / steps).isBetween(0.8, 0.99);
  }

  @Test
  void quantilesAscendToBothTails() {
    var forecast = forecaster(seasonal(3 * DAY, 2), EventCalendar.empty()).forecast().orElseThrow();
    for (int h = 0; h < forecast.steps(); h++) {
      double before = 0;
      for (double level : new double[] {0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999}) {
        double now = forecast.quantile(h, level);
        assertThat(now).as("step %d, level %s", h, level).isGreaterThanOrEqualTo(before);
        before = now;
      }
    }
    assertThat(forecast.quantile(50, 0.999)).isGreaterThan(forecast.quantile(50, 0.95));
    assertThat(forecast.steps()).isEqualTo(QUARTER_HOURS);
    assertThat(forecast.time(4)).isEqualTo(START.plus(Duration.ofDays(3)).plusSeconds(3600));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, -0.5, Double.NaN})
  void refusesAnInvalidLevel(double level) {
    var forecast = forecaster(seasonal(DAY, 3), EventCalendar.empty()).forecast().orElseThrow();
    assertThatThrownBy(() -> forecast.quantile(0, level))
        .hasMessage("level must lie in (0, 1): " + level);
  }

  @Test
  void hoursOfHistoryGiveALevel() {
    double[] values = SyntheticSeries.minutes(180).plus(100).noise(4, 0.5, 4).build().toArray();
    var forecast = forecaster(values, EventCalendar.empty()).forecast().orElseThrow();
    for (int h = 0; h < QUARTER_HOURS; h++) {
      assertThat(forecast.quantile(h, 0.5)).isCloseTo(100, within(12.0));
      assertThat(forecast.quantile(h, 0.95)).isGreaterThan(100);
    }
  }

  @Test
  void aConstantSeriesStaysConstant() {
    var values = new double[2 * DAY];
    Arrays.fill(values, 42);
    var forecast = forecaster(values, EventCalendar.empty()).forecast().orElseThrow();
    for (int h = 0; h < QUARTER_HOURS; h++) {
      assertThat(forecast.quantile(h, 0.5)).isCloseTo(42, within(0.5));
      assertThat(forecast.quantile(h, 0.95)).isBetween(41.5, 70.0);
    }
  }

  @Test
  void aSeriesWithoutValuesHasNoForecast() {
    var values = new double[DAY];
    Arrays.fill(values, Double.NaN);
    assertThat(forecaster(values, EventCalendar.empty()).forecast()).isEmpty();
  }

  @Test
  void anOutageUntilNowLeavesTheSeason() {
    double[] values = seasonal(5 * DAY, 5);
    double[] broken = Arrays.copyOf(values, 4 * DAY);
    Arrays.fill(broken, 4 * DAY - 180, 4 * DAY, Double.NaN);
    var forecast = forecaster(broken, EventCalendar.empty()).forecast().orElseThrow();
    for (int h = 0; h < QUARTER_HOURS; h++) {
      assertThat(forecast.quantile(h, 0.5))
          .as("step %d", h)
          .isCloseTo(mean(values, 4 * DAY + 15 * h), within(35.0));
    }
  }

  @Test
  void anOutageUntilTheFirstRefitLeavesNoGapInTheForecast() {
    double[] values = seasonal(2 * DAY, 9);
    Arrays.fill(values, 2 * DAY - 45, 2 * DAY, Double.NaN);
    var forecaster = new PathForecaster(START, settings(EventCalendar.empty()));
    feed(forecaster, values, 0, values.length);
    forecaster.refit();
    var forecast = forecaster.forecast().orElseThrow();
    for (int h = 0; h < QUARTER_HOURS; h++) {
      assertThat(forecast.quantile(h, 0.1)).as("step %d", h).isBetween(0.0, 300.0);
      assertThat(forecast.quantile(h, 0.95)).as("step %d", h).isBetween(50.0, 600.0);
    }
  }

  @Test
  void aDeclaredFactorMultipliesItsStepsOnly() {
    var values = seasonal(4 * DAY, 6);
    var start = START.plus(Duration.ofDays(4)).plus(Duration.ofHours(10));
    var sale = new Event("sale", start, start.plus(Duration.ofHours(2)), OptionalDouble.of(3));
    var plain = forecaster(values, EventCalendar.empty()).forecast().orElseThrow();
    var with =
        forecaster(values, new EventCalendar(List.of(sale), List.of())).forecast().orElseThrow();
    for (int h = 0; h < QUARTER_HOURS; h++) {
      assertThat(with.quantile(h, 0.9) / plain.quantile(h, 0.9))
          .as("step %d", h)
          .isCloseTo(h >= 40 && h < 48 ? 3 : 1, within(1e-9));
    }
  }

  @Test
  void aRunningEventIsNotCountedTwice() {
    double[] values = seasonal(4 * DAY, 7);
    int from = 4 * DAY - 120;
    for (int i = from; i < values.length; i++) {
      values[i] *= 3;
    }
    var start = START.plus(MINUTE.multipliedBy(from));
    var sale = new Event("sale", start, start.plus(Duration.ofHours(4)), OptionalDouble.of(3));
    var forecast =
        forecaster(values, new EventCalendar(List.of(sale), List.of())).forecast().orElseThrow();
    assertThat(forecast.quantile(0, 0.5)).isCloseTo(mean(values, 4 * DAY - 15), within(40.0));
    assertThat(forecast.quantile(20, 0.5)).as("after it").isCloseTo(105, within(25.0));
  }

  /** Three days of the event's last week are observed; it ends at noon of the day ahead. */
  @Test
  void aDayOfALongEventIsLearnedFromTheDaysInIt() {
    double[] values = seasonal(4 * DAY, 7);
    for (int i = DAY / 2; i < values.length; i++) {
      values[i] *= 0.4;
    }
    var from = START.plus(Duration.ofHours(12));
    var term = new Event("term", from, from.plus(Duration.ofDays(4)), OptionalDouble.of(0.4));
    var calendar = new EventCalendar(List.of(term), List.of());
    var forecast = forecaster(values, calendar).forecast().orElseThrow();
    double[] truth = seasonal(5 * DAY, 7);
    double error = 0;
    for (int h = 0; h < QUARTER_HOURS; h++) {
      double demand = (h < 48 ? 0.4 : 1) * mean(truth, 4 * DAY + 15 * h);
      error += Math.abs(forecast.quantile(h, 0.5) - demand) / demand / QUARTER_HOURS;
    }
    assertThat(error).isLessThan(0.04);
  }

  @Test
  void twoRunsAreEqualToTheBit() {
    double[] values = seasonal(2 * DAY, 8);
    var first = forecaster(values, EventCalendar.empty()).forecast().orElseThrow();
    var second = forecaster(values, EventCalendar.empty()).forecast().orElseThrow();
    for (int h = 0; h < QUARTER_HOURS; h++) {
      assertThat(second.quantile(h, 0.9)).isEqualTo(first.quantile(h, 0.9));
    }
  }

  @Test
  void refusesAnInfiniteObservation() {
    var forecaster = new PathForecaster(START, settings(EventCalendar.empty()));
    assertThatThrownBy(() -> forecaster.observe(Double.POSITIVE_INFINITY))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "PT1M, PT90S, PT1H, P1D, step must be a multiple",
    "PT1M, PT5M, PT12M, P1D, horizon must be a multiple",
    "PT1M, PT0S, PT1H, P1D, step must be a multiple",
    "PT0S, PT5M, PT1H, P1D, step must be a multiple",
    "PT1M, PT5M, -PT5M, P1D, horizon must be a multiple",
    "PT1M, PT1M, P14D, P28D, more than 20000 steps",
    "PT1M, PT5M, P2D, P1D, remember must be at least the horizon",
    "PT5M, PT5M, PT5M, PT5M, remember must be at least two steps of 5 min: 5 min",
    "PT0.001S, PT5M, PT5M, P1D, 'remember must be at most 10,000,000 observations of 1 ms'",
  })
  void refusesInvalidSettings(
      Duration observed, Duration step, Duration horizon, Duration remember, String message) {
    assertThatThrownBy(
            () ->
                new PathSettings(
                    observed, step, horizon, ZoneOffset.UTC, EventCalendar.empty(), remember, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static PathSettings settings(EventCalendar calendar) {
    return new PathSettings(
        MINUTE,
        Duration.ofMinutes(15),
        Duration.ofDays(1),
        ZoneOffset.UTC,
        calendar,
        Duration.ofDays(28),
        1);
  }

  /**
   * A forecaster that has observed all values and was refitted at the end of each of the last two
   * days.
   */
  private static PathForecaster forecaster(double[] values, EventCalendar calendar) {
    var forecaster = new PathForecaster(START, settings(calendar));
    for (int from = 0; from < values.length; from += DAY) {
      feed(forecaster, values, from, Math.min(values.length, from + DAY));
      if (from + 2 * DAY >= values.length) {
        forecaster.refit();
      }
    }
    return forecaster;
  }

  private static void feed(PathForecaster forecaster, double[] values, int from, int to) {
    for (int i = from; i < to; i++) {
      forecaster.observe(values[i]);
    }
  }

  private static double mean(double[] values, int from) {
    return Arrays.stream(values, from, from + 15).average().orElseThrow();
  }

  private static double[] seasonal(int minutes, long seed) {
    return SyntheticSeries.minutes(minutes)
        .plus(100)
        .plus(SyntheticSeries.workday(150))
        .noise(6, 0.8, seed)
        .build()
        .toArray();
  }
}
