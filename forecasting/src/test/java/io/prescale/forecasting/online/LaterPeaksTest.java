package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaterPeaksTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration LEAD = Duration.ofMinutes(5);
  private static final Duration WINDOW = Duration.ofMinutes(5);
  private static final int DAY = 1440;

  @Test
  void knowsNothingBeforeTheFirstForecast() {
    assertThat(new LaterPeaks((_, _) -> OptionalDouble.empty(), MINUTE).quantile(0.5)).isEmpty();
  }

  @Test
  void beginsAroundTheMedianWithoutErrors() {
    var peaks = new LaterPeaks((_, _) -> OptionalDouble.empty(), MINUTE);
    peaks.next(forecast(0, 100, 110));
    assertThat(peaks.quantile(0.5)).hasValueCloseTo(100.0, within(0.1));
    assertThat(peaks.quantile(0.9)).hasValueCloseTo(112.8, within(0.2));
  }

  @Test
  void learnsHowHighDemandGetsAfterTheForecastsOfTheLastDays() {
    var peaks = walked(3 * DAY, _ -> 150, 100, 110);
    assertThat(peaks.quantile(0.05)).hasValueCloseTo(150.0, within(1.0));
    assertThat(peaks.quantile(0.95)).hasValueCloseTo(150.0, within(1.0));
  }

  /** For 300 of 1,000 minutes demand is 150, and for half an hour before that it soon will be. */
  @Test
  void whatCameAfterAThirdOfTheForecastsIsAsLikely() {
    var peaks = walked(5 * DAY, t -> t / 100 % 10 < 3 ? 150 : 100, 100, 110);
    assertThat(peaks.quantile(0.5)).hasValueCloseTo(100.0, within(1.0));
    assertThat(peaks.quantile(0.85)).hasValueCloseTo(150.0, within(1.0));
  }

  @Test
  void errorsGrowWithTheForecastsUncertainty() {
    var peaks = walked(3 * DAY, _ -> 150, 100, 110);
    peaks.next(forecast(3 * DAY, 100, 120));
    assertThat(peaks.quantile(0.5)).hasValueCloseTo(200.0, within(2.0));
  }

  /** At eight, demand doubles; ten minutes before, half of that is expected within half an hour. */
  @Test
  void halfOfTheRiseOfTheDayBeforeIsExpected() {
    IntToDoubleFunction demand = t -> t % DAY < 480 ? 100 : 200;
    var peaks = new LaterPeaks(past(demand, 2 * DAY), MINUTE);
    peaks.next(forecast(DAY + 465, 100, 110));
    assertThat(peaks.quantile(0.5)).hasValueCloseTo(150.0, within(0.5));
    peaks.next(forecast(DAY + 300, 100, 110));
    assertThat(peaks.quantile(0.5)).hasValueCloseTo(100.0, within(0.5));
  }

  @Test
  void forgetsWithinDays() {
    var peaks = new LaterPeaks(past(t -> t < 3 * DAY ? 150 : 100, 12 * DAY), MINUTE);
    for (int t = DAY; t < 12 * DAY; t++) {
      peaks.next(forecast(t, 100, 110));
    }
    assertThat(peaks.quantile(0.95)).hasValueCloseTo(100.0, within(1.0));
  }

  @Test
  void whatWasNotObservedTeachesNothing() {
    var peaks = new LaterPeaks((_, _) -> OptionalDouble.empty(), MINUTE);
    for (int t = 0; t < DAY; t++) {
      peaks.next(forecast(t, 100, 110));
    }
    assertThat(peaks.quantile(0.9)).hasValueCloseTo(112.8, within(0.2));
  }

  @Test
  void demandThatRestsAndQuantilesThatCoincideGiveFiniteNumbers() {
    var peaks = walked(2 * DAY, _ -> 0, 0, 0);
    assertThat(peaks.quantile(0.9)).hasValueCloseTo(0.0, within(1e-9));
    peaks.next(forecast(2 * DAY, 1e300, 1e300));
    assertThat(peaks.quantile(0.9).orElseThrow()).isFinite();
  }

  @Test
  void aLongerWindowIsLookedAtAsAWhole() {
    assertThat(LaterPeaks.within(WINDOW)).isEqualTo(Duration.ofMinutes(30));
    assertThat(LaterPeaks.within(Duration.ofHours(5))).isEqualTo(Duration.ofHours(5));
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
  void refusesWhatIsNoLevel(double level) {
    var peaks = new LaterPeaks((_, _) -> OptionalDouble.empty(), MINUTE);
    assertThatThrownBy(() -> peaks.quantile(level))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("level must be from 0 to 1: " + level);
  }

  @Test
  void refusesAStepThatIsNotPositive() {
    assertThatThrownBy(() -> new LaterPeaks((_, _) -> OptionalDouble.empty(), Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static LaterPeaks walked(
      int minutes, IntToDoubleFunction demand, double p50, double p90) {
    var peaks = new LaterPeaks(past(demand, minutes), MINUTE);
    for (int t = DAY; t < minutes; t++) {
      peaks.next(forecast(t, p50, p90));
    }
    return peaks;
  }

  /** Of the half hours that are asked for, what lies at or after {@code until} is unknown. */
  private static PastDemand past(IntToDoubleFunction demand, int until) {
    double[] values = new double[until];
    Arrays.setAll(values, demand);
    return (from, to) -> {
      int first = (int) Math.max(0, from.getEpochSecond() / 60);
      int end = (int) Math.min(until, to.getEpochSecond() / 60);
      return first < end ? Arrays.stream(values, first, end).max() : OptionalDouble.empty();
    };
  }

  private static QuantileForecast forecast(int minute, double p50, double p90) {
    return new QuantileForecast(
        Instant.EPOCH.plus(Duration.ofMinutes(minute)),
        LEAD,
        WINDOW,
        new double[] {0.5, 0.9},
        new double[] {p50, p90},
        new ForecastParts(p50, 0, 0, 0, 0, List.of()));
  }
}
