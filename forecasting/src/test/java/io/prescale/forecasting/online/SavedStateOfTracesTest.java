package io.prescale.forecasting.online;

import static io.prescale.forecasting.SyntheticSeries.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.prescale.forecasting.online.PeakForecaster.Restored;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is saved of production services, where their traces are at hand. */
class SavedStateOfTracesTest {
  private static final Path TRACES = Path.of("..", "..", "shared", "traces");
  private static final int DAY = 1440;
  private static final int KEPT = 14 * DAY;

  /** Read from Prometheus: states are saved after each refit, every four hours. */
  private static final int SINCE_SAVED = 240;

  @ParameterizedTest
  @ValueSource(strings = {"00", "02", "04", "05", "09", "11", "12"})
  void twoWeeksWithModelsTake24KiBAndForecastTheSame(String trace) throws IOException {
    var file = TRACES.resolve("cluster-" + trace + ".csv");
    assumeTrue(Files.exists(file), "the production traces are not at hand");
    double[] values =
        Files.readAllLines(file).stream()
            .skip(1)
            .limit(KEPT)
            .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(',') + 1)))
            .toArray();
    var settings = PeakSettings.forLead(Duration.ofMinutes(5));
    var original = new PeakForecaster(START, settings);
    int savedAt = values.length - SINCE_SAVED;
    for (int i = 0; i < savedAt; i++) {
      original.observe(values[i]);
      if (i == savedAt - DAY) {
        original.adopt(original.refit().compute());
      }
    }

    byte[] saved = original.save();

    assertThat(saved.length).isBetween(15_000, 24 * 1024);
    var restored = ((Restored.Ok) PeakForecaster.restore(saved, settings)).forecaster();
    for (int i = savedAt; i < values.length; i++) {
      original.observe(values[i]);
      restored.observe(values[i]);
    }
    var expected = original.forecast().orElseThrow();
    var actual = restored.forecast().orElseThrow();
    assertThat(ratio(actual, expected, 0.5)).isCloseTo(1, within(0.05));
    assertThat(ratio(actual, expected, 0.95)).isCloseTo(1, within(0.05));
    assertThat(ratio(actual, expected, 0.99)).isCloseTo(1, within(0.1));
  }

  private static double ratio(QuantileForecast actual, QuantileForecast expected, double level) {
    return actual.quantile(level) / expected.quantile(level);
  }
}
