package io.prescale.forecasting.classic;

import static io.prescale.forecasting.SyntheticSeries.DAY;
import static io.prescale.forecasting.SyntheticSeries.minutes;
import static io.prescale.forecasting.SyntheticSeries.workday;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.Fit;
import io.prescale.forecasting.FittedForecaster;
import io.prescale.forecasting.Season;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThetaTest {
  private static final Season DAILY = new Season(Season.DAY, 0.9);
  private static final Duration HOUR = Duration.ofHours(1);

  private final Theta theta = new Theta(ZoneOffset.UTC);

  /**
   * {@code ThetaModel(y, period=12, method="multiplicative").fit().forecast(12)} of statsmodels
   * 0.14; statsforecast 2.1.1's {@code Theta(12)} differs from it by 0.01 %.
   */
  @Test
  void forecastsThePassengersOf1960AsOtherImplementationsDo() {
    double[] statsmodels = {
      411.325, 402.231, 462.832, 444.627, 447.884, 509.540, 561.779, 559.398, 490.376, 427.236,
      371.918, 418.961
    };
    var path = airline(132).path(12);
    for (int month = 0; month < 12; month++) {
      assertThat(path[month]).isCloseTo(statsmodels[month], within(0.001 * statsmodels[month]));
    }
  }

  @Test
  void observingKeepsTheLevel() {
    var model = airline(120);
    var passengers = PublishedData.airlinePassengers();
    for (int month = 120; month < 132; month++) {
      model.observe(passengers[month]);
    }
    double error = 0;
    var path = model.path(12);
    for (int month = 0; month < 12; month++) {
      error += Math.abs(passengers[132 + month] - path[month]) / 12;
    }
    // Seasonal naive misses the last year by 47.8 passengers on average.
    assertThat(error).isLessThan(35);
  }

  @Test
  void keepsASharpEdgeOfTheSeason() {
    var series = minutes(6 * DAY).plus(20).plus(i -> i % DAY == 600 ? 30 : 0).build();
    var path = fit(series.slice(0, 5 * DAY), List.of(DAILY)).path(DAY);

    assertThat(path[599]).isCloseTo(20, within(0.1));
    assertThat(path[600]).isCloseTo(50, within(0.5));
    assertThat(path[601]).isCloseTo(20, within(0.1));
  }

  @Test
  void theSeasonGrowsWithTheLevelWhereAllIsPositive() {
    var small = minutes(4 * DAY).plus(10).plus(workday(10)).build().toArray();
    for (int i = 2 * DAY; i < small.length; i++) {
      small[i] *= 2;
    }
    var model = fit(series(small).slice(0, 3 * DAY + 600), List.of(DAILY));
    var path = model.path(DAY / 2);
    for (int h = 0; h < path.length; h++) {
      assertThat(path[h])
          .isCloseTo(small[3 * DAY + 600 + h], within(0.1 * small[3 * DAY + 600 + h]));
    }
  }

  @Test
  void theSeasonIsAddedWhereDemandRests() {
    var values = minutes(6 * DAY).plus(workday(100)).build().toArray();
    for (int i = 0; i < values.length; i++) {
      values[i] = i % DAY < 300 ? 0 : values[i];
    }
    var model = fit(series(values).slice(0, 5 * DAY), List.of(DAILY));
    var path = model.path(DAY);
    for (int h = 0; h < DAY; h++) {
      assertThat(path[h]).isCloseTo(values[h], within(1.0));
    }
  }

  @Test
  void halfOfTheSlopeIsTheDrift() {
    var line = minutes(4 * DAY).plus(i -> 0.01 * i).build();
    var model = fit(line, List.of());
    double[] path = model.path(1000);

    assertThat(path[999] - path[0]).isCloseTo(0.005 * 999, within(1e-6));
    double[] flat = fit(line.slice(0, 2 * DAY - 1), List.of()).path(1000);
    assertThat(flat[0]).isCloseTo(0.01 * (2 * DAY - 2), within(1e-3));
    assertThat(flat[999]).isEqualTo(flat[0]);
  }

  @Test
  void aSeasonIsUsedFromTwoCyclesOn() {
    var series = minutes(3 * DAY).plus(workday(10)).plus(5).build();
    assertThat(Theta.usesSeason(series.slice(0, 2 * DAY - 1), List.of(DAILY))).isFalse();
    assertThat(Theta.usesSeason(series.slice(0, 2 * DAY), List.of(DAILY))).isTrue();
    assertThat(fit(series.slice(0, 2 * DAY), List.of(DAILY)).path(DAY)[13 * 60])
        .isCloseTo(15, within(1.0));
  }

  @Test
  void refusesFewerThanTenValues() {
    assertThat(theta.fit(minutes(30).noise(1, 0, 1).missing(9, 30).build(), List.of()))
        .isEqualTo(new Fit.Refused("needs 10 values, has 9"));
  }

  private FittedForecaster airline(int months) {
    var history = TimeSeries.of(Instant.EPOCH, HOUR, PublishedData.airlinePassengers());
    return fit(history.slice(0, months), List.of(new Season(HOUR.multipliedBy(12), 1)));
  }

  private static TimeSeries series(double[] values) {
    return TimeSeries.of(Instant.EPOCH, Duration.ofMinutes(1), values);
  }

  private FittedForecaster fit(TimeSeries history, List<Season> seasons) {
    return ((Fit.Fitted) theta.fit(history, seasons)).model();
  }
}
