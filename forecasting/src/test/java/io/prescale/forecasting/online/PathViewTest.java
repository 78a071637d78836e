package io.prescale.forecasting.online;

import static io.prescale.forecasting.SyntheticSeries.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.forecasting.EventCalendar;
import java.time.Duration;
import java.time.ZoneOffset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathViewTest {
  @ParameterizedTest
  @CsvSource({"1, 30", "5, 6", "15, 2", "30, 1", "60, 1"})
  void theForecastersOfTheNextHalfHourServeHalfAnHourAtEachStep(int minutes, int steps) {
    var view = PathView.of(history(1), history(minutes), minutes);

    assertThat(view.nearSteps()).isEqualTo(steps);
  }

  private static DemandHistory history(int minutes) {
    return new DemandHistory(
        START, Duration.ofMinutes(minutes), ZoneOffset.UTC, EventCalendar.empty(), 1440);
  }
}
