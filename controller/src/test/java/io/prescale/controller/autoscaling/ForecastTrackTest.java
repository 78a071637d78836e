package io.prescale.controller.autoscaling;

import static io.prescale.controller.autoscaling.ScalingCycles.START;
import static io.prescale.controller.autoscaling.ScalingCycles.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.forecasting.Event;
import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.ExcludedWindow;
import io.prescale.forecasting.online.PeakForecaster;
import io.prescale.forecasting.online.PeakSettings;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class ForecastTrackTest {
  private static final int LEARNED = 2 * ScalingCycles.DAY;

  /** Forecasts are about minutes 5 to 10 ahead, so those of the last ten minutes are open. */
  @Test
  void aForecastByAMinuteThatMayBeWrongIsNotJudged() {
    var steady = EventCalendar.empty();

    assertThat(judgedWithinAnHour(steady, _ -> 1)).isEqualTo(50);
    assertThat(judgedWithinAnHour(steady, minute -> minute == 30 ? 50 : 1)).isEqualTo(49);
  }

  /** Maintenance from the 20th to the 40th minute; forecasts are about minutes 5 to 10 ahead. */
  @Test
  void whatIsForecastAboutOrWithinAnExcludedWindowDoesNotCount() {
    var maintenance = new ExcludedWindow("maintenance", at(LEARNED + 20), at(LEARNED + 40));
    var calendar = new EventCalendar(List.of(), List.of(maintenance));

    int before = 10; // made at minutes 1 to 10, about minutes until 20
    int after = 11; // made at minutes 40 to 50
    assertThat(judgedWithinAnHour(calendar, minute -> minute >= 20 && minute < 40 ? 0 : 1))
        .isEqualTo(before + after);
  }

  @Test
  void whatIsForecastWithinALongEventCounts() {
    var term =
        new Event("term", at(LEARNED), at(LEARNED + 4 * ScalingCycles.DAY), OptionalDouble.of(0.5));
    var calendar = new EventCalendar(List.of(term), List.of());

    assertThat(judgedWithinAnHour(calendar, _ -> 0.5)).isEqualTo(50);
  }

  /**
   * How many forecasts of an hour after two days of a daily wave are judged within it.
   *
   * @param factor of demand at a minute of the hour
   */
  private static int judgedWithinAnHour(EventCalendar calendar, IntToDoubleFunction factor) {
    var forecaster =
        new PeakForecaster(
            START, PeakSettings.forLead(Duration.ofMinutes(5)).withCalendar(calendar));
    double[] demand = ScalingCycles.wave(LEARNED + 60, ScalingCycles.DAY, 1);
    for (int minute = 0; minute < LEARNED; minute++) {
      forecaster.observe(demand[minute]);
    }
    forecaster.adopt(forecaster.refit().compute());
    var track = new ForecastTrack(calendar, 0.95);
    for (int minute = 0; minute < 60; minute++) {
      forecaster.observe(demand[LEARNED + minute] * factor.applyAsDouble(minute));
      track.settle(forecaster);
      track.made(forecaster.forecast().orElseThrow(), forecaster);
    }
    return track.breaker().trust().samples();
  }
}
