package io.prescale.controller.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.cli.terminal.DurationText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryLengthTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1h  | 1 h show no daily pattern: what the coming hours bring is unknown, and forecasts of them are wide. | false
          12h | 12 h show no daily pattern: what the coming hours bring is unknown, and forecasts of them are wide. | false
          1d  | 1 d show a daily pattern at most once or twice: nothing confirms that it repeats. | false
          3d  | 3 d show the daily pattern, but not the weekly one, which takes two weeks. | true
          14d | 14 d show the daily and the weekly pattern. | true
          """)
  void saysWhatCanBeLearned(String length, String sentence, boolean allowsVerdict) {
    var history = new HistoryLength(DurationText.parse(length));

    assertThat(history.sentence()).isEqualTo(sentence);
    assertThat(history.allowsVerdict()).isEqualTo(allowsVerdict);
  }

  @Test
  void theLessIsKnownAndTheFurtherItIsAheadTheMoreMayChange() {
    assertThat(change("0s", "12h")).isEqualTo(10);
    assertThat(change("0s", "24h")).isEqualTo(10);
    assertThat(change("0s", "6h")).isCloseTo(Math.sqrt(10), within(1e-12));
    assertThat(change("12h", "12h")).isCloseTo(Math.sqrt(10), within(1e-12));
    assertThat(change("2h", "5m")).isBetween(1.01, 1.02);
    assertThat(change("1d", "24h")).isEqualTo(1);
    assertThat(change("14d", "24h")).isEqualTo(1);
  }

  private static double change(String length, String ahead) {
    return new HistoryLength(DurationText.parse(length)).possibleChange(DurationText.parse(ahead));
  }
}
