package io.prescale.controller.operator;

import static io.prescale.controller.operator.PredictiveHpas.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OutageTurnsTest {
  private final OutageTurns turns = new OutageTurns();

  @Test
  void ticksThatEndOutOfOrderTakeNoMoreTurns() {
    var random = new SplittableRandom(7);
    int taken = 0;
    for (int i = 0; i < 2_000; i++) {
      long lasted = random.nextInt(10_000); // the time of a tick is that of its beginning
      taken += turns.take(NOON.plusMillis(30L * i - lasted)) ? 1 : 0;
    }

    assertThat(taken).isBetween(290, 360);
  }

  @Test
  void twoThousandStatusesInOneStepAreFiveASecond() {
    int taken = 0;
    for (int i = 0; i < 2_000; i++) {
      taken += turns.take(NOON.plusMillis(30L * i)) ? 1 : 0;
    }

    assertThat(taken).as("in a minute, 20 of them at once").isBetween(300, 320);
  }

  @Test
  void aFewAreWrittenAtOnce() {
    assertThat(takenOf(25, NOON)).isEqualTo(20);
    assertThat(takenOf(25, NOON.plusSeconds(2))).isBetween(9, 10);
    assertThat(takenOf(25, NOON.plus(Duration.ofHours(1)))).isEqualTo(20);
  }

  @Test
  void aClockThatWasSetBackDelaysNothingForLong() {
    assertThat(takenOf(25, NOON)).isEqualTo(20);

    assertThat(takenOf(25, NOON.minus(Duration.ofHours(1)))).isPositive();
  }

  private int takenOf(int asked, Instant now) {
    int taken = 0;
    for (int i = 0; i < asked; i++) {
      taken += turns.take(now) ? 1 : 0;
    }
    return taken;
  }
}
