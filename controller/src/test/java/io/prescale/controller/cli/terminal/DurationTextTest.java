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

  @ParameterizedTest
  @CsvSource({
    "PT5M, 5 min",
    "PT1H30M, 1 h 30 min",
    "PT336H, 14 d",
    "PT25H0M3S, 1 d 1 h 3 s",
    "PT0.25S, 250 ms",
    "PT0S, 0 s"
  })
  void saysThemInWords(Duration duration, String words) {
    assertThat(DurationText.inWords(duration)).isEqualTo(words);
  }
}
