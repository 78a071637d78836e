package io.prescale.forecasting.classic;

import static io.prescale.forecasting.SyntheticSeries.DAY;
import static io.prescale.forecasting.SyntheticSeries.minutes;
import static io.prescale.forecasting.SyntheticSeries.workday;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.forecasting.Fit;
import io.prescale.forecasting.FittedForecaster;
import io.prescale.forecasting.Forecaster;
import io.prescale.forecasting.Season;
import io.prescale.forecasting.SyntheticSeries;
import io.prescale.forecasting.TimeSeries;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;

/** Fixtures for tests of all classic forecasters. */
final class ClassicForecasters {
  static final List<Season> DAILY = List.of(new Season(Season.DAY, 0.9));
  static final List<Season> DAILY_AND_WEEKLY =
      List.of(new Season(Season.WEEK, 0.8), new Season(Season.DAY, 0.9));

  private ClassicForecasters() {}

  static Stream<Forecaster> all() {
    var zone = ZoneId.of("Europe/Berlin");
    return Stream.of(new HoltWinters(zone), new Theta(zone), new HarmonicRegression(zone));
  }

  static SyntheticSeries day(int days) {
    return minutes(days * DAY).plus(20).plus(workday(10));
  }

  static FittedForecaster fitted(Forecaster forecaster, TimeSeries history, List<Season> seasons) {
    return ((Fit.Fitted) forecaster.fit(history, seasons)).model();
  }

  static void observe(FittedForecaster model, TimeSeries series, int from, int to) {
    for (int i = from; i < to; i++) {
      model.observe(series.value(i));
    }
  }

  static void assertAllBetween(double low, double high, double[] values) {
    assertThat(values).isNotEmpty();
    for (double value : values) {
      assertThat(value).isBetween(low, high);
    }
  }
}
