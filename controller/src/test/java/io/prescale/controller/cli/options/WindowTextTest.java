package io.prescale.controller.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.forecasting.Event;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WindowTextTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @ParameterizedTest
  @CsvSource({
    "2026-11-27T08:00/2026-11-27T20:00",
    "2026-11-27T08:00/12h",
    "2026-11-27T07:00Z/2026-11-27T20:00+01:00",
    "1795762800/12h"
  })
  void isAStretchOfTimeOnTheClocksOfTheZone(String text) {
    var window = WindowText.parse(text).excludedWindow(BERLIN);

    assertThat(window.start()).isEqualTo(Instant.parse("2026-11-27T07:00:00Z"));
    assertThat(window.end()).isEqualTo(Instant.parse("2026-11-27T19:00:00Z"));
    assertThat(window.reason()).isEqualTo(text);
  }

  @Test
  void mayHaveAFactorWhenItIsAnEvent() {
    assertThat(event("2026-11-27/1d=2.5").expectedFactor()).isEqualTo(OptionalDouble.of(2.5));
    assertThat(event("2026-11-27/1d").expectedFactor()).isEmpty();
  }

  @Test
  void hasNoFactorWhenItIsExcluded() {
    assertThatThrownBy(() -> WindowText.parse("2026-11-27/1d=2").excludedWindow(ZoneOffset.UTC))
        .hasMessage(
            "an excluded window cannot have a factor, because nothing is learned from it:"
                + " \"2026-11-27/1d=2\"");
  }

  @Test
  void mustEndAfterItStarts() {
    assertThatThrownBy(() -> event("2026-11-27/2026-11-26"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must start before it ends");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "2026-11-27", "2026-11-27=2", "=/", "2026-11-27=2/1d"})
  void refusesWhatHasNoEnd(String text) {
    assertThatThrownBy(() -> WindowText.parse(text))
        .hasMessageEndingWith(
            "is not a period; write its start and its end or duration, such as"
                + " 2026-11-27T08:00/2026-11-27T20:00 or 2026-11-27T08:00/12h");
  }

  @Test
  void refusesTimesThatDependOnNow() {
    assertThatThrownBy(() -> WindowText.parse("14d/1d")).hasMessageStartingWith("\"14d\" is not");
    assertThatThrownBy(() -> WindowText.parse("2026-11-27/now")).hasMessageStartingWith("\"now\"");
    assertThatThrownBy(() -> WindowText.parse("2026-11-27/1d=x"))
        .hasMessageStartingWith("\"x\" is not a factor");
  }

  private static Event event(String text) {
    return WindowText.parse(text).event(ZoneOffset.UTC);
  }
}
