package io.prescale.controller.operator;

import static io.prescale.controller.operator.PredictiveHpas.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TickTimesTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void theTicksOfManyTargetsAreSpreadOverMostOfAStep() {
    assertThat(TickTimes.spread(MINUTE, 1)).isEqualTo(Duration.ofSeconds(10));
    assertThat(TickTimes.spread(MINUTE, 400)).isEqualTo(Duration.ofSeconds(10));
    assertThat(TickTimes.spread(MINUTE, 1000)).isEqualTo(Duration.ofSeconds(25));
    assertThat(TickTimes.spread(MINUTE, 100_000)).isEqualTo(Duration.ofSeconds(48));
    assertThat(TickTimes.spread(Duration.ofSeconds(10), 1)).hasMillis(2500);
  }

  @Test
  void aTargetThatTicksAtItsPlaceStaysThere() {
    assertThat(ticks(NOON.plusSeconds(47), 47, 3))
        .containsExactly(
            NOON.plusSeconds(47), NOON.plusSeconds(60 + 47), NOON.plusSeconds(120 + 47));
  }

  @ParameterizedTest(name = "from second {0} to second {1}")
  @CsvSource({"2,47", "0,48", "61,59", "12,5", "59,0", "30,30"})
  void aValueIsNeverMuchOlderThanAStepWhileItsTargetMovesToItsPlace(int first, int place) {
    var ticks = ticks(NOON.plusSeconds(first), place, 8);

    for (int i = 1; i < ticks.size(); i++) {
      assertThat(Duration.between(ticks.get(i - 1), ticks.get(i)))
          .isBetween(Duration.ZERO, Duration.ofSeconds(75));
      assertThat(stepOf(ticks.get(i)))
          .as("tick %d", i)
          .isEqualTo(stepOf(ticks.get(i - 1)).plus(MINUTE));
    }
    assertThat(Duration.between(stepOf(ticks.getLast()), ticks.getLast())).hasSeconds(place);
  }

  private static Instant stepOf(Instant tick) {
    return tick.truncatedTo(ChronoUnit.MINUTES);
  }

  private static List<Instant> ticks(Instant first, int place, int count) {
    var ticks = new ArrayList<>(List.of(first));
    while (ticks.size() < count) {
      var last = ticks.getLast();
      ticks.add(TickTimes.next(last, stepOf(last), MINUTE, Duration.ofSeconds(place)));
    }
    return ticks;
  }
}
