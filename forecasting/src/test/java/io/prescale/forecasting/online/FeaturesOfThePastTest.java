package io.prescale.forecasting.online;

import static io.prescale.forecasting.SyntheticSeries.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.forecasting.EventCalendar;
import java.time.Duration;
import java.time.ZoneOffset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The features of step t are the same whether or not step t and later ones are known. */
class FeaturesOfThePastTest {
  private static final Duration QUARTER_HOUR = Duration.ofMinutes(15);
  private static final int DAY = 96;

  @ParameterizedTest
  @CsvSource({"1, 1", "92, 4", "96, 1", "96, 96"})
  void ofAWindow(int lead, int window) {
    int t = 10 * DAY;
    int[] season = {20};
    var then = history(QUARTER_HOUR, t);
    var later = history(QUARTER_HOUR, 14 * DAY);
    assertThat(new PeakFeatures(later, lead, window, season).at(later, t))
        .isEqualTo(new PeakFeatures(then, lead, window, season).at(then, t));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 95, 96, 7 * 96 - 1, 7 * 96, 13 * 96})
  void ofASingleStep(int ahead) {
    int t = 10 * DAY;
    assertThat(pathFeatures(history(QUARTER_HOUR, 24 * DAY), t, ahead))
        .isEqualTo(pathFeatures(history(QUARTER_HOUR, t), t, ahead));
  }

  @ParameterizedTest
  @CsvSource({"PT15M, 5", "PT6H, 5", "P1D, 0", "P1D, 5"})
  void ofTheNextSteps(Duration step, int ahead) {
    int t = 20;
    assertThat(nearFeatures(history(step, 40), t, ahead))
        .isEqualTo(nearFeatures(history(step, t), t, ahead));
  }

  private static double[] pathFeatures(DemandHistory history, int t, int ahead) {
    return PathView.of(history, history, 1).features().at(t, ahead);
  }

  private static double[] nearFeatures(DemandHistory history, int t, int ahead) {
    return PathView.of(history, history, 1).near().at(t, ahead);
  }

  private static DemandHistory history(Duration step, int steps) {
    var history = new DemandHistory(START, step, ZoneOffset.UTC, EventCalendar.empty(), 100 * DAY);
    for (int i = 0; i < steps; i++) {
      history.add(100 + i % 37 + i % 11);
    }
    return history;
  }
}
