package io.prescale.controller.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.fairness.WriteTurns.Urgency;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sixteen turns a second. */
class WriteTurnsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private long nanoTime = Long.MAX_VALUE - 5; // a clock may begin anywhere, and overflow
  private final WriteTurns turns = new WriteTurns(16, () -> 1, () -> nanoTime);

  @Test
  void manyThatComeTogetherGetSixteenASecond() {
    assertThat(takenIn(MINUTE, 200)).as("160 at once").isBetween(1_050, 1_120);
    assertThat(takenIn(MINUTE, 200)).isBetween(950, 961);
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
      taken += turns.take("other", Urgency.HIGH) ? 1 : 0;
      pass(Duration.ofSeconds(1));
    }

    assertThat(taken).isEqualTo(600);
  }

  @Test
  void whatCannotWaitMakesOthersWaitAndFirstItsOwnNamespace() {
    for (int i = 0; i < 100; i++) {
      turns.take("a", Urgency.AT_ONCE);
    }

    assertThat(atOnce("a", 1)).isZero();
    assertThat(atOnce("b", 100)).as("as many as are left free").isEqualTo(40);
  }

  /** Such as statuses that serve values while pages cannot be written, or a tenant's own HPAs. */
  @ParameterizedTest
  @CsvSource({"HIGH, 480", "USUAL, 240", "LOW, 48"})
  void noOneIsKeptFromAllTurns(Urgency urgency, int inAMinute) {
    for (int i = 0; i < 1_000; i++) {
      turns.take("flood", Urgency.AT_ONCE);
    }
    int taken = 0;
    for (int i = 0; i < 6_000; i++) {
      turns.take("flood", Urgency.AT_ONCE); // a hundred a second
      taken += turns.take("n" + i % 200, urgency) ? 1 : 0;
      pass(Duration.ofMillis(10));
    }

    assertThat(taken).isBetween(inAMinute, inAMinute * 7 / 6 + 4); // and ten seconds' worth at once
  }

  /** A third of the shards, and then half, as another replica has gone. */
  @Test
  void oneOfSeveralReplicasHasItsPart() {
    double[] part = {1.0 / 3};
    var turns = new WriteTurns(16, () -> part[0], () -> nanoTime);

    assertThat(takenIn(turns, MINUTE, 200)).as("53 at once").isBetween(350, 375);
    assertThat(takenIn(turns, MINUTE, 200)).isBetween(310, 325);
    part[0] = 0.5;
    assertThat(takenIn(turns, MINUTE, 200)).as("27 more at once").isBetween(490, 510);
    part[0] = 0;
    assertThat(takenIn(turns, MINUTE, 200)).as("it works on none").isZero();
  }

  @Test
  void whatIsMoreUrgentComesFirst() {
    for (int i = 0; i < 200; i++) {
      turns.take("a" + i, Urgency.LOW);
      turns.take("b" + i, Urgency.USUAL);
      turns.take("c" + i, Urgency.HIGH);
    }

    assertThat(seconds(Urgency.HIGH)).as("until 80 of its own are left").isLessThan(0.2);
    assertThat(seconds(Urgency.USUAL)).as("until 144 of all are left").isBetween(1.5, 2.0);
    assertThat(seconds(Urgency.LOW)).as("until 120 are left").isBetween(1.8, 2.1);
  }

  /** How long it takes from now on until there is a turn. */
  private double seconds(Urgency urgency) {
    long before = nanoTime;
    for (int i = 0; !turns.take("asks " + urgency + i, urgency); i++) {
      pass(Duration.ofMillis(10));
    }
    return (nanoTime - before) / 1e9;
  }

  /** How many of a hundred questions a second, in turn of so many namespaces, got one. */
  private int takenIn(Duration time, int namespaces) {
    return takenIn(turns, time, namespaces);
  }

  private int takenIn(WriteTurns turns, Duration time, int namespaces) {
    int taken = 0;
    for (int i = 0; i < 100 * time.toSeconds(); i++) {
      taken += turns.take("n" + i % namespaces, Urgency.HIGH) ? 1 : 0;
      pass(Duration.ofMillis(10));
    }
    return taken;
  }

  private int atOnce(String namespace, int asked) {
    int taken = 0;
    for (int i = 0; i < asked; i++) {
      taken += turns.take(namespace, Urgency.HIGH) ? 1 : 0;
    }
    return taken;
  }

  private void pass(Duration time) {
    nanoTime += time.toNanos();
  }
}
