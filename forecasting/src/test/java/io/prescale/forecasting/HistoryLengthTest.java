package io.prescale.forecasting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryLengthTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1   | A history of 1 h shows no daily pattern: what the coming hours bring is unknown, and forecasts of them are wide. | false
          12  | A history of 12 h shows no daily pattern: what the coming hours bring is unknown, and forecasts of them are wide. | false
          24  | A history of 1 day shows a daily pattern at most once or twice: nothing confirms that it repeats. | false
          72  | A history of 3 days shows the daily pattern, but not the weekly one, which takes two weeks. | true
          335 | A history of 13 days 23 h is long enough for a daily and a weekly pattern. | true
          336 | A history of 14 days is long enough for a daily and a weekly pattern. | true
          """)
  void saysWhatCanBeLearned(double length, String sentence, boolean allowsVerdict) {
    var history = new HistoryLength(hours(length));

    assertThat(history.sentence()).isEqualTo(sentence);
    assertThat(history.allowsVerdict()).isEqualTo(allowsVerdict);
  }

  @Test
  void gapsOfADayDoNotCount() {
    var hourly = new double[10 * 24];
    Arrays.fill(hourly, 3 * 24, 9 * 24, Double.NaN);
    Arrays.fill(hourly, 24, 47, Double.NaN);
    var series = TimeSeries.of(Instant.EPOCH, hours(1), hourly);

    assertThat(HistoryLength.of(series)).isEqualTo(new HistoryLength(hours(4 * 24)));
    assertThat(HistoryLength.of(series.slice(0, 5))).isEqualTo(new HistoryLength(hours(5)));
  }

  @Test
  void theLessIsKnownAndTheFurtherItIsAheadTheMoreMayChange() {
    assertThat(change(0, 12)).isEqualTo(10);
    assertThat(change(0, 24)).isEqualTo(10);
    assertThat(change(0, 6)).isCloseTo(Math.sqrt(10), within(1e-12));
    assertThat(change(12, 12)).isCloseTo(Math.sqrt(10), within(1e-12));
    assertThat(change(2, 1 / 12.0)).isBetween(1.01, 1.02);
    assertThat(change(24, 24)).isEqualTo(1);
    assertThat(change(336, 24)).isEqualTo(1);
  }

  private static double change(double length, double ahead) {
    return new HistoryLength(hours(length)).possibleChange(hours(ahead));
  }

  private static Duration hours(double count) {
    return Duration.ofSeconds(Math.round(3600 * count));
  }
}
