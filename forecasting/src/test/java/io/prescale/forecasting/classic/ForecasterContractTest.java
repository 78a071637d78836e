package io.prescale.forecasting.classic;

import static io.prescale.forecasting.SyntheticSeries.DAY;
import static io.prescale.forecasting.SyntheticSeries.minutes;
import static io.prescale.forecasting.SyntheticSeries.sine;
import static io.prescale.forecasting.SyntheticSeries.weekend;
import static io.prescale.forecasting.classic.ClassicForecasters.DAILY;
import static io.prescale.forecasting.classic.ClassicForecasters.DAILY_AND_WEEKLY;
import static io.prescale.forecasting.classic.ClassicForecasters.assertAllBetween;
import static io.prescale.forecasting.classic.ClassicForecasters.day;
import static io.prescale.forecasting.classic.ClassicForecasters.fitted;
import static io.prescale.forecasting.classic.ClassicForecasters.observe;
import static java.lang.Double.NaN;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.forecasting.Fit;
import io.prescale.forecasting.Forecaster;
import io.prescale.forecasting.Season;
import io.prescale.forecasting.SyntheticSeries;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of every classic forecaster. */
class ForecasterContractTest {
  @ParameterizedTest
  @MethodSource("io.prescale.forecasting.classic.ClassicForecasters#all")
  void forecastsAClearSeasonToWithinTheNoise(Forecaster forecaster) {
    var series = day(16).plus(weekend(5)).noise(0.5, 0.5, 1).build();
    var model = fitted(forecaster, series.slice(0, 15 * DAY), DAILY_AND_WEEKLY);

    assertThat(meanError(model.path(DAY), series, 15 * DAY)).isLessThan(1.0);
  }

  @ParameterizedTest
  @MethodSource("io.prescale.forecasting.classic.ClassicForecasters#all")
  void aConstantSeriesStaysConstant(Forecaster forecaster) {
    var model = fitted(forecaster, minutes(3 * DAY).plus(7).build(), DAILY);

    assertAllBetween(7 - 1e-9, 7 + 1e-9, model.path(DAY));
  }

  @ParameterizedTest
  @MethodSource("io.prescale.forecasting.classic.ClassicForecasters#all")
  void nothingToLearnFromIsRefusedWithAReason(Forecaster forecaster) {
    for (var series : List.of(minutes(0).build(), minutes(DAY).missing(0, DAY).build())) {
      assertThat(forecaster.fit(series, DAILY))
          .isInstanceOfSatisfying(
              Fit.Refused.class, refused -> assertThat(refused.reason()).startsWith("needs "));
    }
  }

  @ParameterizedTest
  @MethodSource("io.prescale.forecasting.classic.ClassicForecasters#all")
  void aShortSeriesIsForecastOrRefusedButNeverFails(Forecaster forecaster) {
    int forecast = 0;
    for (int size = 1; size < DAY + 200; size += size < 200 ? 1 : 97) {
      switch (forecaster.fit(minutes(size).noise(1, 0.5, 1).build(), DAILY)) {
        case Fit.Fitted(var model) -> {
          assertAllBetween(-10, 10, model.path(20));
          forecast++;
        }
        case Fit.Refused(var reason) -> assertThat(reason).startsWith("needs ");
      }
    }
    assertThat(forecast).isPositive();
  }

  @ParameterizedTest
  @MethodSource("io.prescale.forecasting.classic.ClassicForecasters#all")
  void missingStepsInHistoryCostLittleAccuracy(Forecaster forecaster) {
    var series = day(16).noise(0.5, 0.5, 1).build();
    var holes = day(16).noise(0.5, 0.5, 1).missing(2 * DAY, 3 * DAY);
    var random = new Random(1);
    holes.plus(i -> i < 15 * DAY && random.nextDouble() < 0.3 ? NaN : 0);
    var model = fitted(forecaster, holes.build().slice(0, 15 * DAY), DAILY);

    assertThat(meanError(model.path(DAY), series, 15 * DAY)).isLessThan(1.0);
  }

  @ParameterizedTest
  @MethodSource("io.prescale.forecasting.classic.ClassicForecasters#all")
  void aSeriesOfWhichMostIsMissingIsForecast(Forecaster forecaster) {
    var random = new Random(2);
    var sparse = day(8).noise(0.5, 0.5, 1).plus(i -> random.nextDouble() < 0.9 ? NaN : 0).build();
    var truth = day(9).build();

    assertThat(meanError(fitted(forecaster, sparse, DAILY).path(DAY), truth, 8 * DAY))
        .isLessThan(1.5);
  }

  @ParameterizedTest
  @MethodSource("io.prescale.forecasting.classic.ClassicForecasters#all")
  void missingObservationsAdvanceTimeAndChangeNothingElse(Forecaster forecaster) {
    var series = day(16).noise(0.5, 0.5, 1).build();
    var model = fitted(forecaster, series.slice(0, 14 * DAY), DAILY);
    for (int i = 0; i < 6 * 60; i++) {
      model.observe(NaN);
    }
    assertThat(meanError(model.path(DAY), series, 14 * DAY + 6 * 60)).isLessThan(1.0);
  }

  @ParameterizedTest
  @MethodSource("io.prescale.forecasting.classic.ClassicForecasters#all")
  void aBurstOfTenMinutesIsForgottenWithinTheHour(Forecaster forecaster) {
    var series = day(16).noise(0.5, 0.5, 1).build();
    var model = fitted(forecaster, series.slice(0, 14 * DAY), DAILY);
    for (int i = 0; i < 70; i++) {
      model.observe(series.value(14 * DAY + i) + (i < 10 ? 200 : 0));
    }
    assertThat(meanError(model.path(6 * 60), series, 14 * DAY + 70)).isLessThan(1.0);
  }

  @ParameterizedTest
  @MethodSource("io.prescale.forecasting.classic.ClassicForecasters#all")
  void aLevelShiftIsFollowedWithinThreeHours(Forecaster forecaster) {
    var series = day(16).noise(0.5, 0.5, 1).plus(i -> i >= 14 * DAY ? 20 : 0).build();
    var model = fitted(forecaster, series.slice(0, 14 * DAY), DAILY);
    observe(model, series, 14 * DAY, 14 * DAY + 180);

    assertThat(meanError(model.path(2 * 60), series, 14 * DAY + 180)).isLessThan(2.0);
  }

  @ParameterizedTest
  @MethodSource("io.prescale.forecasting.classic.ClassicForecasters#all")
  void observingStepByStepKeepsTheSeason(Forecaster forecaster) {
    var series = day(21).plus(sine(45, 2)).noise(0.5, 0.5, 1).build();
    var seasons = List.of(DAILY.getFirst(), new Season(Duration.ofMinutes(45), 0.5));
    var model = fitted(forecaster, series.slice(0, 14 * DAY), seasons);
    observe(model, series, 14 * DAY, 20 * DAY);

    assertThat(meanError(model.path(DAY), series, 20 * DAY)).isLessThan(1.0);
  }

  @ParameterizedTest
  @MethodSource("io.prescale.forecasting.classic.ClassicForecasters#all")
  void seasonsThatTheHistoryCannotShowAreLeftOut(Forecaster forecaster) {
    var seasons =
        List.of(
            new Season(Duration.ofDays(300), 1),
            new Season(Duration.ofSeconds(30), 1),
            new Season(Season.DAY, 0.9));
    var series = day(4).noise(0.3, 0.5, 1).build();
    var model = fitted(forecaster, series.slice(0, 3 * DAY), seasons);

    assertThat(meanError(model.path(DAY), series, 3 * DAY)).isLessThan(1.0);
  }

  @ParameterizedTest
  @MethodSource("io.prescale.forecasting.classic.ClassicForecasters#all")
  void stepsMayBeLongerThanADay(Forecaster forecaster) {
    var weeks = SyntheticSeries.steps(Season.WEEK, 60).plus(50).noise(1, 0.3, 1).build();
    var model = fitted(forecaster, weeks, DAILY_AND_WEEKLY);

    assertAllBetween(45, 55, model.path(5));
  }

  private static double meanError(double[] path, TimeSeries series, int from) {
    double sum = 0;
    for (int h = 0; h < path.length; h++) {
      sum += Math.abs(path[h] - series.value(from + h));
    }
    return sum / path.length;
  }
}
