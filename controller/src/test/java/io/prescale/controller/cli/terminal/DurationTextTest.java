package io.prescale.controller.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {

  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S",
    "90s, PT1M30S",
    "5m, PT5M",
    "1h30m, PT1H30M",
    "14d, PT336H",
    "2w, PT336H",
    "1.5h, PT1H30M",
    "0m, PT0S",
    "1w1d1h1m1s1ms, PT193H1M1.001S"
  })
  void readsWhatPeopleWrite(String text, Duration duration) {
    assertThat(DurationText.parse(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "m", "-5m", "5 m", "5x", "1,5h", "PT5M", "5m ", "1234567890s"})
  void refusesTheRestWithExamples(String text) {
    assertThatThrownBy(() -> DurationText.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith(
            " is not a duration; write a number with a unit such as 30s, 5m, 1h30m or 14d");
  }

  @Test
  void refusesMoreThanACentury() {
    assertThatThrownBy(() -> DurationText.parse("999999999w"))
        .hasMessage("\"999999999w\" is longer than a century");
  }
}
