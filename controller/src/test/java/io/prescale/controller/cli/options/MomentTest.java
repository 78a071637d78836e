package io.prescale.controller.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MomentTest {
  private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @ParameterizedTest
  @CsvSource({
    "now, 2026-11-27T12:00:00Z",
    "14d, 2026-11-13T12:00:00Z",
    "1h30m, 2026-11-27T10:30:00Z",
    "1795766400, 2026-11-27T08:00:00Z",
    "2026-11-27T08:00:00Z, 2026-11-27T08:00:00Z",
    "2026-11-27T08:00+01:00, 2026-11-27T07:00:00Z",
    "2026-11-27T08:00:00.5Z, 2026-11-27T08:00:00.500Z",
    "2026-11-27T08:00, 2026-11-27T07:00:00Z",
    "2026-07-27T08:00, 2026-07-27T06:00:00Z",
    "2026-11-27, 2026-11-26T23:00:00Z"
  })
  void meansOneInstantInAZoneAtATime(String text, Instant instant) {
    assertThat(Moment.parse(text).resolve(NOW, BERLIN)).isEqualTo(instant);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "yesterday", "2026", "2026-02-30", "27.11.2026", "2026-11-27T25:00", "08:00"})
  void refusesTheRestWithExamples(String text) {
    assertThatThrownBy(() -> Moment.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "\""
                + text
                + "\" is not a time; write one such as 2026-11-27T08:00:00Z, 2026-11-27T08:00 or"
                + " 2026-11-27, or Unix seconds; or say how long ago, such as 10m or 14d");
  }
}
