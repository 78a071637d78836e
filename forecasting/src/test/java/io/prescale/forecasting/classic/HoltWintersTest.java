package io.prescale.forecasting.classic;

import static io.prescale.forecasting.SyntheticSeries.DAY;
import static io.prescale.forecasting.SyntheticSeries.minutes;
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

class HoltWintersTest {
  private static final Season DAILY = new Season(Season.DAY, 0.9);
  private static final Season WEEKLY = new Season(Season.WEEK, 0.8);

  private final HoltWinters holtWinters = new HoltWinters(ZoneOffset.UTC);

  @Test
  void theSearchBeatsTheParametersItStartsFromOnPublishedData() {
    var passengers = PublishedData.airlinePassengers();
    var year = List.of(new Season(Duration.ofHours(12), 1));
    var history = TimeSeries.of(Instant.EPOCH, Duration.ofHours(1), passengers).slice(0, 132);
    var path = fit(history, year).path(12);
    double error = 0;
    for (int h = 0; h < 12; h++) {
      error += Math.abs(passengers[132 + h] - path[h]) / 12;
    }
    // Seasonal naive misses the last year by 47.8 passengers on average.
    assertThat(error).isLessThan(25);
  }

  @Test
  void refusesFewerThanTenValues() {
    var series = minutes(30).noise(1, 0, 1).missing(9, 30).build();
    assertThat(holtWinters.fit(series, List.of()))
        .isEqualTo(new Fit.Refused("needs 10 values, has 9"));
  }

  @Test
  void aSeasonIsUsedFromTwoCyclesOn() {
    var series = minutes(3 * DAY).plus(workday(10)).noise(0.2, 0, 1).build();
    int noon = 13 * 60;
    var path = fit(series.slice(0, 2 * DAY - 1), List.of(DAILY)).path(noon + 1);
    assertThat(path[noon]).isCloseTo(0, within(1.0));

    path = fit(series.slice(0, 2 * DAY), List.of(DAILY)).path(noon);
    assertThat(path[noon - 1]).isCloseTo(10, within(1.0));
  }

  @Test
  void usesTheTwoStrongestSeasons() {
    var weak = new Season(Duration.ofHours(1), 0.2);
    var seasons = List.of(WEEKLY, DAILY, weak);

    assertThat(UsableSeasons.of(minutes(15 * DAY).build(), seasons, Smoothing.MOST_SEASONS))
        .containsExactly(DAILY, WEEKLY);
  }

  @Test
  void aTrendIsDampedAndNotExtrapolatedForEver() {
    var series = minutes(600).plus(i -> 0.5 * i).noise(0.5, 0, 1).build();
    var path = fit(series, List.of()).path(10_000);

    assertThat(path[14]).isCloseTo(300 + 0.5 * 15, within(5.0));
    assertThat(path[9_999]).isEqualTo(path[9_000], within(1.0)).isLessThan(800);
  }

  @Test
  void whiteNoiseIsAveragedAndARandomWalkIsFollowed() {
    var noise = minutes(5 * DAY).plus(50).noise(1, 0, 1).build();
    assertThat(fit(noise, List.of()).path(1)[0]).isCloseTo(50, within(0.3));

    var walk = minutes(5 * DAY).plus(50).noise(1, 1, 1).build();
    assertThat(fit(walk, List.of()).path(1)[0]).isCloseTo(walk.value(walk.size() - 1), within(0.2));
  }

  @Test
  void aDayKeepsItsLocalTimeWhenClocksChange() {
    var berlin = ZoneId.of("Europe/Berlin");
    for (var change : new String[] {"2021-10-31T01:00:00Z", "2022-03-27T01:00:00Z"}) {
      var start = Instant.parse(change).minus(Duration.ofDays(7));
      var values = new double[9 * DAY];
      Arrays.setAll(
          values, i -> start.plusSeconds(60L * i).atZone(berlin).getHour() == 9 ? 30 : 10);
      var series = TimeSeries.of(start, SyntheticSeries.MINUTE, values);
      var model =
          ((Fit.Fitted) new HoltWinters(berlin).fit(series.slice(0, 7 * DAY), List.of(DAILY)))
              .model();
      var path = model.path(2 * DAY);
      for (int i = 300; i < 2 * DAY; i += 30) { // between the knots, away from the edges
        var local = start.plusSeconds(60L * (7 * DAY + i)).atZone(berlin);
        if (local.getMinute() == 30) {
          assertThat(path[i])
              .as("%s", local)
              .isCloseTo(local.getHour() == 9 ? 30 : 10, within(1.0));
        }
      }
    }
  }

  @Test
  void longHistoriesCostNoMoreThanFourWeeks() {
    var year = minutes(365 * DAY).plus(workday(10)).noise(1, 0.5, 1).build();
    var fourWeeks = year.slice(year.size() - 28 * DAY, year.size());

    assertThat(fit(year, List.of(DAILY)).path(DAY))
        .isEqualTo(fit(fourWeeks, List.of(DAILY)).path(DAY));
  }

  private FittedForecaster fit(TimeSeries history, List<Season> seasons) {
    return ((Fit.Fitted) holtWinters.fit(history, seasons)).model();
  }
}
