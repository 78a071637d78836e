package io.prescale.forecasting;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationInWordsTest {
  @ParameterizedTest
  @CsvSource({
    "PT9600H, 400 days",
    "PT24H, 1 day",
    "PT49H30M, 2 days 1 h 30 min",
    "PT1M30S, 1 min 30 s",
    "PT1.5S, 1.5 s",
    "PT0S, 0 s",
    "PT0.25S, 250 ms",
    "PT-1H, -1 h",
  })
  void saysADurationAsAPersonWould(Duration duration, String words) {
    assertThat(DurationInWords.of(duration)).isEqualTo(words);
  }
}
