package io.prescale.forecasting.classic;

import static io.prescale.forecasting.SyntheticSeries.DAY;
import static io.prescale.forecasting.SyntheticSeries.minutes;
import static io.prescale.forecasting.SyntheticSeries.sine;
import static io.prescale.forecasting.SyntheticSeries.workday;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.Fit;
import io.prescale.forecasting.FittedForecaster;
import io.prescale.forecasting.Season;
import io.prescale.forecasting.SyntheticSeries;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class HarmonicRegressionTest {
  private static final Season DAILY = new Season(Season.DAY, 0.9);
  private static final Season WEEKLY = new Season(Season.WEEK, 0.8);

  private final HarmonicRegression regression = new HarmonicRegression(ZoneOffset.UTC);

  @Test
  void withoutNoiseTheCurveIsExact() {
    var series =
        minutes(16 * DAY)
            .plus(i -> 100 + i / 1000.0)
            .plus(sine(DAY, 10))
            .plus(sine(DAY / 3.0, 4))
            .plus(sine(7 * DAY, 6))
            .build();
    var path = fit(series.slice(0, 14 * DAY), List.of(WEEKLY, DAILY)).path(2 * DAY);

    for (int h = 0; h < path.length; h++) {
      assertThat(path[h]).isCloseTo(series.value(14 * DAY + h), within(0.01));
    }
  }

  @Test
  void recoversTheCurveFromColouredNoise() {
    var demand = minutes(22 * DAY).plus(100).plus(sine(DAY, 10)).plus(sine(45, 5));
    var curve = demand.build();
    var series = demand.noise(2, 0.9, 1).build().slice(0, 21 * DAY);
    var path = fit(series, List.of(DAILY, new Season(Duration.ofMinutes(45), 0.5))).path(DAY);

    for (int h = 60; h < DAY; h++) {
      assertThat(path[h]).isCloseTo(curve.value(21 * DAY + h), within(1.0));
    }
  }

  @Test
  void shortMemoryOfTheErrorsImprovesTheNextMinutesOnly() {
    var demand = minutes(15 * DAY).plus(100).plus(sine(DAY, 10));
    var curve = demand.build();
    var series = demand.noise(2, 0.95, 1).build();
    var path = fit(series.slice(0, 14 * DAY), List.of(DAILY)).path(DAY);
    double deviation = series.value(14 * DAY - 1) - curve.value(14 * DAY - 1);

    for (int h : new int[] {1, 14, DAY}) {
      double left = Math.pow(0.95, h) * deviation;
      assertThat(path[h - 1] - curve.value(14 * DAY + h - 1)).isCloseTo(left, within(0.5));
    }
  }

  @Test
  void aLevelShiftInHistoryBendsNoCurve() {
    var series =
        minutes(16 * DAY)
            .plus(workday(10))
            .plus(i -> i > 9 * DAY ? 40 : 20)
            .noise(0.5, 0.5, 1)
            .build();
    var model = fit(series.slice(0, 14 * DAY), List.of(DAILY));
    var path = model.path(DAY);
    for (int h = 0; h < DAY; h += 60) {
      assertThat(path[h]).isCloseTo(series.value(14 * DAY + h), within(3.5));
    }
  }

  @Test
  void refusesTooLittleHistory() {
    assertThat(regression.fit(minutes(600).noise(1, 0, 1).build(), List.of(DAILY)))
        .isEqualTo(new Fit.Refused("needs a day of history, or two cycles of a season"));
    var sparse = minutes(2 * DAY).noise(1, 0, 1).missing(29, 2 * DAY).build();
    assertThat(regression.fit(sparse, List.of(DAILY)))
        .isEqualTo(new Fit.Refused("needs 30 values, has 29"));
  }

  @Test
  void twoCyclesOfAShortSeasonAreEnough() {
    var series = minutes(200).plus(50).plus(sine(45, 10)).noise(0.5, 0, 1).build();
    var model = fit(series.slice(0, 120), List.of(new Season(Duration.ofMinutes(45), 0.9)));
    var path = model.path(45);
    for (int h = 0; h < 45; h++) {
      assertThat(path[h]).isCloseTo(series.value(120 + h), within(2.5));
    }
  }

  @Test
  void twoDaysHaveADayButNoLine() {
    var series = minutes(2 * DAY).plus(workday(10)).noise(0.5, 0.5, 1).build();
    assertThat(risePerDay(fit(series.slice(0, 2 * DAY - 60), List.of())))
        .isCloseTo(0, within(0.001));
    assertThat(risePerDay(fit(series, List.of(DAILY)))).isBetween(-0.5, 0.5);
  }

  private static double risePerDay(FittedForecaster model) {
    var path = model.path(20 * DAY); // in which short memory fades
    return path[20 * DAY - 1] - path[19 * DAY - 1];
  }

  @Test
  void aDayKeepsItsLocalTimeWhenClocksChange() {
    var berlin = ZoneId.of("Europe/Berlin");
    for (var change : new String[] {"2021-10-31T01:00:00Z", "2022-03-27T01:00:00Z"}) {
      var start = Instant.parse(change).minus(Duration.ofDays(7));
      var values = new double[9 * DAY];
      Arrays.setAll(
          values,
          i -> {
            var local = start.plusSeconds(60L * i).atZone(berlin).toLocalTime();
            return 10 * Math.sin(2 * Math.PI * local.toSecondOfDay() / 86_400.0);
          });
      var series = TimeSeries.of(start, SyntheticSeries.MINUTE, values);
      var forecaster = new HarmonicRegression(berlin);
      var model = ((Fit.Fitted) forecaster.fit(series.slice(0, 7 * DAY), List.of(DAILY))).model();
      var path = model.path(2 * DAY);
      for (int h = 120; h < path.length; h++) {
        assertThat(path[h]).isCloseTo(values[7 * DAY + h], within(0.2));
      }
    }
  }

  @Test
  void nearlyEqualSeasonsDoNotExplode() {
    var series = minutes(8 * DAY).plus(workday(10)).noise(0.5, 0.5, 1).build();
    var seasons = List.of(DAILY, new Season(Duration.ofHours(25), 0.4), DAILY);
    var path = fit(series.slice(0, 7 * DAY), seasons).path(DAY);
    for (int h = 0; h < DAY; h++) {
      assertThat(path[h]).isCloseTo(series.value(7 * DAY + h), within(5.0));
    }
  }

  private FittedForecaster fit(TimeSeries history, List<Season> seasons) {
    return ((Fit.Fitted) regression.fit(history, seasons)).model();
  }
}
