package io.prescale.placement.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WaterFillingTest {
  @Test
  void givesWhatDivisionLeavesToTheLargestRemainders() {
    assertThat(WaterFilling.divide(10, new long[] {1, 1, 1}, new long[] {9, 9, 9}))
        .containsExactly(4, 3, 3);
    assertThat(WaterFilling.divide(45, new long[] {60, 50, 80}, new long[] {99, 99, 99}))
        .containsExactly(14, 12, 19);
    assertThat(WaterFilling.divide(0, new long[] {1}, new long[] {9})).containsExactly(0);
    assertThat(WaterFilling.divide(5, new long[] {0, 0}, new long[] {9, 9})).containsExactly(0, 0);
    assertThat(WaterFilling.divide(5, new long[0], new long[0])).isEmpty();
    assertThat(WaterFilling.divide(50, new long[] {1, 1}, new long[] {9, 9})).containsExactly(9, 9);
  }

  /** Beside a water level found by bisection in floating point. */
  @Test
  void agreesWithABisectedWaterLevel() {
    SplittableRandom random = new SplittableRandom(11);
    for (int round = 0; round < 5_000; round++) {
      int takers = 1 + random.nextInt(12);
      long[] weights = random.longs(takers, 0, 50).toArray();
      long[] bounds = random.longs(takers, 0, 1L << (1 + random.nextInt(20))).toArray();
      long amount = random.nextLong(1L << (1 + random.nextInt(22)));

      long[] parts = WaterFilling.divide(amount, weights, bounds);

      double level = waterLevel(amount, weights, bounds);
      for (int i = 0; i < takers; i++) {
        assertThat((double) parts[i])
            .as("round %d taker %d", round, i)
            .isCloseTo(Math.min((double) bounds[i], level * weights[i]), within(1.0));
        assertThat(parts[i]).isBetween(0L, bounds[i]);
      }
      long most = 0;
      for (int i = 0; i < takers; i++) {
        most += weights[i] > 0 ? bounds[i] : 0;
      }
      assertThat(Arrays.stream(parts).sum()).isEqualTo(Math.min(amount, most));
    }
  }

  private static double waterLevel(long amount, long[] weights, long[] bounds) {
    double low = 0;
    double high = 1L << 24;
    for (int step = 0; step < 200; step++) {
      double level = (low + high) / 2;
      double held = 0;
      for (int i = 0; i < weights.length; i++) {
        held += Math.min((double) bounds[i], level * weights[i]);
      }
      if (held < amount) {
        low = level;
      } else {
        high = level;
      }
    }
    return high;
  }
}
