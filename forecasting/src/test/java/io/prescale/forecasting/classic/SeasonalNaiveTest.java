package io.prescale.forecasting.classic;

import static io.prescale.forecasting.SyntheticSeries.DAY;
import static io.prescale.forecasting.SyntheticSeries.minutes;
import static io.prescale.forecasting.SyntheticSeries.workday;
import static java.lang.Double.NaN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.Fit;
import io.prescale.forecasting.FittedForecaster;
import io.prescale.forecasting.Season;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeasonalNaiveTest {
  private static final ZoneId UTC = ZoneOffset.UTC;
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final List<Season> DAILY = List.of(new Season(Season.DAY, 0.9));
  private static final List<Season> TWELVE_HOURS = List.of(new Season(Duration.ofHours(12), 1));

  @Test
  void repeatsTheLastSeasonHoweverFarAhead() {
    var passengers = PublishedData.airlinePassengers();
    var model = fit(new SeasonalNaive(UTC), hours(passengers), TWELVE_HOURS);

    var lastYear = Arrays.copyOfRange(passengers, 132, 144);
    assertThat(Arrays.copyOfRange(model.path(36), 0, 12)).containsExactly(lastYear);
    assertThat(Arrays.copyOfRange(model.path(36), 24, 36)).containsExactly(lastYear);
  }

  @Test
  void theErrorOfTheSecondSeasonIsThatOfTheFirstTwice() {
    var passengers = PublishedData.airlinePassengers();
    var spread = fit(new SeasonalNaive(UTC), hours(passengers), TWELVE_HOURS).spread(36);
    double squares = 0;
    for (int i = 12; i < passengers.length; i++) {
      squares += Math.pow(passengers[i] - passengers[i - 12], 2);
    }
    double sigma = Math.sqrt(squares / 132); // FPP3 §5.5 table: sigma * sqrt(k + 1)

    assertThat(spread[0]).isEqualTo(spread[11]).isCloseTo(sigma, within(1e-9));
    assertThat(spread[12]).isCloseTo(sigma * Math.sqrt(2), within(1e-9));
    assertThat(spread[35]).isCloseTo(sigma * Math.sqrt(3), within(1e-9));
  }

  @Test
  void withoutASeasonTheLastValueStays() {
    var model = fit(new SeasonalNaive(UTC), hours(1, 2, 4, 3), List.of());
    double sigma = Math.sqrt((1 + 4 + 1) / 3.0);

    assertThat(model.path(3)).containsExactly(3, 3, 3);
    assertThat(model.spread(3))
        .containsExactly(
            new double[] {sigma, sigma * Math.sqrt(2), sigma * Math.sqrt(3)}, within(1e-12));
  }

  @Test
  void theMeanOfSeveralCyclesLeavesOutWhatIsMissing() {
    var series = hours(concat(cycle(0), cycle(10), cycle(20)));
    var model = fit(new SeasonalNaive(UTC, 3, false), series, TWELVE_HOURS);
    assertThat(model.path(2)).containsExactly(10, 11);

    var missing = series.toArray();
    missing[24] = NaN;
    model = fit(new SeasonalNaive(UTC, 3, false), hours(missing), TWELVE_HOURS);
    assertThat(model.path(2)).containsExactly(5, 11);
  }

  @Test
  void anOutageIsReplacedByTheSeasonBefore() {
    var series = hours(concat(cycle(0), cycle(10), cycle(20))).toArray();
    Arrays.fill(series, 26, 36, NaN);
    var model = fit(new SeasonalNaive(UTC), hours(series), TWELVE_HOURS);
    assertThat(model.path(4)).containsExactly(20, 21, 12, 13);
  }

  @Test
  void afterAnOutageLongerThanItsMemoryTheLastValueStays() {
    var model = fit(new SeasonalNaive(UTC), hours(concat(cycle(0), cycle(10))), TWELVE_HOURS);
    for (int i = 0; i < 40; i++) {
      model.observe(NaN);
    }
    assertThat(model.path(2)).containsExactly(21, 21);
    model.observe(7);
    assertThat(model.path(12)[11]).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2021-10-31T01:00:00Z", "2022-03-27T01:00:00Z"})
  void aDayKeepsItsLocalTimeWhenClocksChange(String change) {
    var start = Instant.parse(change).minus(Duration.ofDays(3));
    var localHours = new double[5 * 24];
    for (int i = 0; i < localHours.length; i++) {
      localHours[i] = start.plus(HOUR.multipliedBy(i)).atZone(BERLIN).getHour();
    }
    var history = TimeSeries.of(start, HOUR, Arrays.copyOf(localHours, 3 * 24));
    var afterChange = Arrays.copyOfRange(localHours, 3 * 24 + 2, 5 * 24);

    var path = fit(new SeasonalNaive(BERLIN), history, DAILY).path(48);
    assertThat(Arrays.copyOfRange(path, 2, 48)).containsExactly(afterChange);
  }

  @Test
  void followsALevelShiftWithinHoursWhenAskedTo() {
    var series =
        minutes(6 * DAY)
            .plus(20)
            .plus(workday(10))
            .noise(1, 0.5, 1)
            .plus(i -> i >= 5 * DAY ? 15 : 0)
            .build();
    var known = series.slice(0, 5 * DAY + 5 * 60);
    double actual = series.value(5 * DAY + 5 * 60 + 60);

    assertThat(fit(new SeasonalNaive(UTC), known, DAILY).path(61)[60])
        .isCloseTo(actual - 15, within(5.0));
    assertThat(fit(new SeasonalNaive(UTC, 1, true), known, DAILY).path(61)[60])
        .isCloseTo(actual, within(5.0));
  }

  @Test
  void theNameSaysTheOptions() {
    assertThat(new SeasonalNaive(UTC).name()).isEqualTo("seasonal-naive");
    assertThat(new SeasonalNaive(UTC, 3, true).name()).isEqualTo("seasonal-naive-mean-of-3-level");
    assertThatIllegalArgumentException().isThrownBy(() -> new SeasonalNaive(UTC, 0, false));
    assertThatIllegalArgumentException().isThrownBy(() -> new SeasonalNaive(UTC, 9, false));
  }

  private static FittedForecaster fit(
      SeasonalNaive forecaster, TimeSeries history, List<Season> seasons) {
    return ((Fit.Fitted) forecaster.fit(history, seasons)).model();
  }

  private static TimeSeries hours(double... values) {
    return TimeSeries.of(Instant.EPOCH, HOUR, values);
  }

  /** Twelve values that rise by one from the first. */
  private static double[] cycle(double first) {
    var cycle = new double[12];
    Arrays.setAll(cycle, i -> first + i);
    return cycle;
  }

  private static double[] concat(double[]... parts) {
    return Arrays.stream(parts).flatMapToDouble(Arrays::stream).toArray();
  }
}
