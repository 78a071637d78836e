package io.prescale.forecasting;

import static io.prescale.forecasting.SyntheticSeries.minutes;
import static io.prescale.forecasting.SyntheticSeries.sine;
import static java.lang.Double.NaN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.classic.SeasonalNaive;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RollingOriginBacktestTest {
  private static final List<Double> QUANTILES = List.of(0.1, 0.5, 0.9);

  @Test
  void scoresEachQuantileOfEachStep() {
    // History 0, 2, 4: naive error 2. Forecast 5, 7, 9 of 6 and 10.
    var series = TimeSeries.of(SyntheticSeries.START, SyntheticSeries.MINUTE, 0, 2, 4, 6, 10);
    var accuracy =
        new RollingOriginBacktest(3, 5, 2, QUANTILES, 1)
            .run(series, (_, _, _) -> Optional.of(new double[][] {{5, 5}, {7, 7}, {9, 9}}));

    assertThat(accuracy.origins()).isEqualTo(1);
    assertThat(accuracy.steps()).isEqualTo(2);
    assertThat(accuracy.pinballLoss().get(0.1)).isCloseTo((0.1 + 0.5) / 2, within(1e-12));
    assertThat(accuracy.pinballLoss().get(0.5)).isCloseTo((0.5 + 1.5) / 2, within(1e-12));
    assertThat(accuracy.pinballLoss().get(0.9)).isCloseTo((0.3 + 0.9) / 2, within(1e-12));
    assertThat(accuracy.coverage())
        .containsExactly(entry(0.1, 0.0), entry(0.5, 0.5), entry(0.9, 0.5));
    assertThat(accuracy.scaledError()).hasValue((1 + 3) / 2.0 / 2.0);
  }

  @Test
  void eachForecastSeesTheHistoryBeforeItsOriginOnly() {
    var series = minutes(100).plus(i -> i).build();
    var histories = new ArrayList<TimeSeries>();
    new RollingOriginBacktest(40, 25, 10, QUANTILES, 1)
        .run(
            series,
            (history, _, _) -> {
              histories.add(history);
              return Optional.empty();
            });

    assertThat(histories)
        .containsExactly(series.slice(0, 40), series.slice(0, 65), series.slice(0, 90));
  }

  @Test
  void missingTruthAndRefusalsAreCountedAndNotScored() {
    var series = TimeSeries.of(SyntheticSeries.START, SyntheticSeries.MINUTE, 1, 2, NaN, 4, 5, 6);
    var accuracy =
        new RollingOriginBacktest(2, 2, 2, QUANTILES, 1)
            .run(
                series,
                (history, _, _) ->
                    history.size() > 2
                        ? Optional.empty()
                        : Optional.of(new double[][] {{3, 3}, {3, 3}, {3, 3}}));

    assertThat(accuracy.origins()).isEqualTo(1);
    assertThat(accuracy.refusals()).isEqualTo(1);
    assertThat(accuracy.steps()).isEqualTo(1);
    assertThat(accuracy.pinballLoss().get(0.5)).isEqualTo(0.5);
  }

  @Test
  void withoutATrueValueThereIsNoScore() {
    var accuracy =
        new RollingOriginBacktest(2, 2, 2, QUANTILES, 1)
            .run(
                TimeSeries.of(SyntheticSeries.START, SyntheticSeries.MINUTE, 1, 2, NaN, NaN),
                (_, _, _) -> Optional.of(new double[][] {{3, 3}, {3, 3}, {3, 3}}));

    assertThat(accuracy.origins()).isEqualTo(1);
    assertThat(accuracy.pinballLoss()).isEmpty();
    assertThat(accuracy.coverage()).isEmpty();
    assertThat(accuracy.scaledError()).isEmpty();
  }

  @Test
  void normalQuantilesOfAForecasterCoverNormalErrors() {
    var series = minutes(4000).plus(100).plus(sine(45, 20)).noise(1, 0, 1).build();
    var seasons = List.of(new Season(Duration.ofMinutes(45), 1));
    var accuracy =
        new RollingOriginBacktest(2000, 45, 45, QUANTILES, 45)
            .run(series, QuantileMethod.normal(new SeasonalNaive(ZoneOffset.UTC), _ -> seasons));

    assertThat(accuracy.scaledError()).hasValueCloseTo(1.0, within(0.05));
    assertThat(accuracy.coverage().get(0.1)).isCloseTo(0.1, within(0.03));
    assertThat(accuracy.coverage().get(0.9)).isCloseTo(0.9, within(0.03));
  }

  @Test
  void aForecasterThatRefusesHasNoForecast() {
    var method = QuantileMethod.normal(new SeasonalNaive(ZoneOffset.UTC), _ -> List.of());
    assertThat(method.forecast(minutes(9).missing(0, 9).build(), 5, QUANTILES)).isEmpty();
  }

  @Test
  void refusesSettingsThatScoreNothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RollingOriginBacktest(0, 1, 1, QUANTILES, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RollingOriginBacktest(1, 0, 1, QUANTILES, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RollingOriginBacktest(1, 1, 1, List.of(0.1, 0.9), 1))
        .withMessageContaining("0.5");
    for (var quantiles : List.of(List.of(0.5, 0.1), List.of(0.0, 0.5), List.of(0.5, 1.0))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new RollingOriginBacktest(1, 1, 1, quantiles, 1));
    }
  }
}
