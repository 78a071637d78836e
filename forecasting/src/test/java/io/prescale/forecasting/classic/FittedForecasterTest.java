package io.prescale.forecasting.classic;

import static io.prescale.forecasting.SyntheticSeries.DAY;
import static io.prescale.forecasting.SyntheticSeries.MINUTE;
import static io.prescale.forecasting.SyntheticSeries.START;
import static io.prescale.forecasting.classic.ClassicForecasters.DAILY;
import static io.prescale.forecasting.classic.ClassicForecasters.assertAllBetween;
import static io.prescale.forecasting.classic.ClassicForecasters.day;
import static io.prescale.forecasting.classic.ClassicForecasters.fitted;
import static java.lang.Double.NaN;
import static java.lang.Double.POSITIVE_INFINITY;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.forecasting.Fit;
import io.prescale.forecasting.Forecaster;
import io.prescale.forecasting.TimeSeries;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Repeatability and extreme input of every classic forecaster. */
class FittedForecasterTest {
  @ParameterizedTest
  @MethodSource("io.prescale.forecasting.classic.ClassicForecasters#all")
  void theSameHistoryGivesTheSameForecast(Forecaster forecaster) {
    var series = day(5).noise(1, 0.9, 1).build();
    var model = fitted(forecaster, series, DAILY);

    assertThat(fitted(forecaster, series, DAILY).path(DAY)).isEqualTo(model.path(DAY));
    assertThat(model.path(DAY)).startsWith(model.path(15));
  }

  @ParameterizedTest
  @MethodSource("io.prescale.forecasting.classic.ClassicForecasters#all")
  void implausibleValuesAreRefusedInHistoryAndMissingLater(Forecaster forecaster) {
    var wild = day(3).plus(i -> i == 9 ? 1e200 : 0).build();
    assertThat(forecaster.fit(wild, DAILY))
        .isEqualTo(new Fit.Refused("has the value 1.0E200 at 2021-06-07T00:09:00Z"));

    var model = fitted(forecaster, day(3).noise(1, 0.5, 1).build(), DAILY);
    var twin = fitted(forecaster, day(3).noise(1, 0.5, 1).build(), DAILY);
    model.observe(-1e200);
    model.observe(POSITIVE_INFINITY);
    twin.observe(NaN);
    twin.observe(NaN);
    assertThat(model.path(60)).isEqualTo(twin.path(60));
  }

  @ParameterizedTest
  @MethodSource("io.prescale.forecasting.classic.ClassicForecasters#all")
  void extremeButLegalValuesAreFinite(Forecaster forecaster) {
    for (double unit : new double[] {1e-90, 1e90}) {
      var values = day(4).noise(1, 0.5, 1).build().toArray();
      for (int i = 0; i < values.length; i++) {
        values[i] *= unit;
      }
      var model = fitted(forecaster, TimeSeries.of(START, MINUTE, values), DAILY);
      model.observe(5 * unit);
      assertAllBetween(-100 * unit, 100 * unit, model.path(DAY));
    }
  }
}
