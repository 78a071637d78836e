package io.prescale.controller.demand.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RangeQueryTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void splitsSixteenDaysOfMinutesIntoThreeWithoutGapOrOverlap() {
    assertThat(range(0, 23_039).split(11_000))
        .isEqualTo(List.of(range(0, 10_999), range(11_000, 21_999), range(22_000, 23_039)));
  }

  @Test
  void doesNotSplitWhatFits() {
    assertThat(range(0, 10_999).split(11_000)).isEqualTo(List.of(range(0, 10_999)));
    assertThat(range(5, 5).split(1)).isEqualTo(List.of(range(5, 5)));
  }

  @Test
  void countsTheStepsThatFitIntoTheRange() {
    assertThat(new RangeQuery("up", START, START.plusSeconds(119), MINUTE).points()).isEqualTo(2);
    assertThat(new RangeQuery("up", START, START.plusSeconds(120), MINUTE).points()).isEqualTo(3);
  }

  @Test
  void refusesNonsense() {
    assertThatThrownBy(() -> new RangeQuery(" ", START, START, MINUTE))
        .hasMessage("The query is empty.");
    assertThatThrownBy(() -> new RangeQuery("up", START, START.minusSeconds(1), MINUTE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RangeQuery("up", START, START, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> range(0, 1).split(0)).isInstanceOf(IllegalArgumentException.class);
  }

  private static RangeQuery range(int fromMinute, int toMinute) {
    return new RangeQuery(
        "up",
        START.plus(MINUTE.multipliedBy(fromMinute)),
        START.plus(MINUTE.multipliedBy(toMinute)),
        MINUTE);
  }
}
