package io.prescale.controller.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Sixteen turns a second. */
class WriteTurnsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private long nanoTime = Long.MAX_VALUE - 5; // a clock may begin anywhere, and overflow
  private final WriteTurns turns = new WriteTurns(16, () -> nanoTime);

  @Test
  void manyThatComeTogetherGetSixteenASecond() {
    assertThat(takenIn(MINUTE, 200, 0)).as("160 at once").isBetween(1_050, 1_120);
    assertThat(takenIn(MINUTE, 200, 0)).isBetween(950, 961);
  }

  @Test
  void aFewGetTheirsAtOnce() {
    assertThat(atOnce("a", 100)).as("half of 160").isEqualTo(80);
    assertThat(atOnce("b", 100)).isEqualTo(40);
    assertThat(atOnce("c", 100)).isEqualTo(20);

    pass(MINUTE);

    assertThat(atOnce("a", 100)).isEqualTo(80);
  }

  @Test
  void oneThatAsksAllTheTimeLeavesOthersTheirs() {
    int taken = 0;
    for (int i = 0; i < 600; i++) {
      atOnce("greedy", 100);
      taken += turns.take("other", 0) ? 1 : 0;
      pass(Duration.ofSeconds(1));
    }

    assertThat(taken).isEqualTo(600);
  }

  @Test
  void whatCannotWaitMakesOthersWait() {
    for (int i = 0; i < 200; i++) {
      turns.count();
    }

    assertThat(atOnce("a", 1)).isZero();
    pass(Duration.ofSeconds(3)); // 200 · e^-0.3 = 148 are remembered
    assertThat(atOnce("a", 100)).isBetween(5, 7);
  }

  @Test
  void whatIsMoreImportantComesFirst() {
    for (int i = 0; i < 200; i++) {
      turns.take("important-" + i, 0);
    }
    pass(Duration.ofMillis(500)); // eight turns are free again

    assertThat(turns.take("a", 16)).isFalse();
    assertThat(turns.take("a", 0)).isTrue();
    pass(Duration.ofSeconds(2));
    assertThat(turns.take("a", 16)).isTrue();
  }

  /** How many of a hundred questions a second, in turn of so many namespaces, got one. */
  private int takenIn(Duration time, int namespaces, int kept) {
    int taken = 0;
    for (int i = 0; i < 100 * time.toSeconds(); i++) {
      taken += turns.take("n" + i % namespaces, kept) ? 1 : 0;
      pass(Duration.ofMillis(10));
    }
    return taken;
  }

  private int atOnce(String namespace, int asked) {
    int taken = 0;
    for (int i = 0; i < asked; i++) {
      taken += turns.take(namespace, 0) ? 1 : 0;
    }
    return taken;
  }

  private void pass(Duration time) {
    nanoTime += time.toNanos();
  }
}
