package io.prescale.forecasting.boosting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class QuantileTest {

  @Test
  void isTheOrderStatisticThatSortingFinds() {
    var random = new Random(1);
    for (int round = 0; round < 2000; round++) {
      int n = 1 + random.nextInt(60);
      int distinct = 1 + random.nextInt(30);
      double[] values = random.ints(n, 0, distinct).asDoubleStream().toArray();
      double level = random.nextDouble();
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      double expected = sorted[Math.max(0, (int) Math.ceil(level * n) - 1)];
      assertThat(Quantile.select(values, 0, n, level)).as("round %d", round).isEqualTo(expected);
    }
  }

  @Test
  void isThatOfLongRangesToo() {
    var random = new Random(2);
    for (int round = 0; round < 500; round++) {
      int n = 1000 + random.nextInt(4000);
      int distinct = 1 << random.nextInt(20);
      double[] values = random.ints(n, 0, distinct).asDoubleStream().toArray();
      if (round % 3 == 0) {
        Arrays.sort(values);
      }
      double level = round % 5 == 0 ? random.nextInt(2) : random.nextDouble();
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      double expected = sorted[Math.max(0, (int) Math.ceil(level * n) - 1)];
      assertThat(Quantile.select(values, 0, n, level)).as("round %d", round).isEqualTo(expected);
    }
  }

  @Test
  void aSampleThatMisleadsChangesNothing() {
    double[] values = new double[6400];
    Arrays.setAll(values, i -> i % 100 == 0 ? 1e6 + i : i);
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    assertThat(Quantile.select(values, 0, 6400, 0.5)).isEqualTo(sorted[3199]);
  }

  @Test
  void leavesWhatIsOutsideTheRangeAlone() {
    double[] values = {9, 3, 1, 2, -9};
    assertThat(Quantile.select(values, 1, 4, 0.5)).isEqualTo(2);
    assertThat(values[0]).isEqualTo(9);
    assertThat(values[4]).isEqualTo(-9);
  }

  @Test
  void extremeLevelsAreTheExtremes() {
    assertThat(Quantile.select(new double[] {3, 1, 2}, 0, 3, 0.001)).isEqualTo(1);
    assertThat(Quantile.select(new double[] {3, 1, 2}, 0, 3, 0.999)).isEqualTo(3);
  }
}
