package io.prescale.forecasting.boosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class QuantileTreesTest {
  private static final int ROWS = 2000;
  private static final double[] LEVELS = {0.5, 0.95};

  private final double[][] columns = columns();
  private final QuantileTrees trees = fitted(columns);

  @Test
  void predictsNearlyTheSameFromItsNumbers() {
    var restored = QuantileTrees.ofNumbers(trees.toNumbers());
    assertThat(restored.isFor(3, 2)).isTrue();
    assertThat(restored.isFor(3, 3)).isFalse();
    double sum = 0;
    for (int i = 0; i < ROWS; i++) {
      double[] expected = trees.predict(row(i));
      double[] actual = restored.predict(row(i));
      for (int q = 0; q < LEVELS.length; q++) {
        sum += Math.abs(actual[q] - expected[q]);
      }
    }
    assertThat(sum / ROWS / LEVELS.length).as("mean, of a range of 100").isBetween(0.01, 0.5);
  }

  @Test
  void whatWasRestoredIsSavedTheSame() {
    int[] numbers = trees.toNumbers();
    assertThat(QuantileTrees.ofNumbers(numbers).toNumbers()).isEqualTo(numbers);
  }

  @Test
  void aMissingFeatureStillGoesLeft() {
    double[] unknown = {Double.NaN, Double.NaN, Double.NaN};
    assertThat(QuantileTrees.ofNumbers(trees.toNumbers()).predict(unknown)[0])
        .isCloseTo(trees.predict(unknown)[0], within(1.0));
  }

  @Test
  void refusesEveryTruncationAndEndlessTrees() {
    int[] numbers = trees.toNumbers();
    for (int length = 0; length < numbers.length; length += length < 200 ? 1 : 41) {
      int[] cut = Arrays.copyOf(numbers, length);
      assertThatThrownBy(() -> QuantileTrees.ofNumbers(cut))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Whatever a number is replaced by, the trees are refused or predict. */
  @Test
  void hostileNumbersNeverHarm() {
    int[] numbers = trees.toNumbers();
    var random = new SplittableRandom(3);
    int refused = 0;
    for (int round = 0; round < 3000; round++) {
      int[] hostile = numbers.clone();
      int at = round < 1000 ? round % 200 : random.nextInt(numbers.length);
      hostile[at] = random.nextInt() >> random.nextInt(32);
      try {
        var read = QuantileTrees.ofNumbers(hostile);
        if (read.isFor(3, 2)) {
          read.predict(row(round % ROWS));
        }
      } catch (IllegalArgumentException e) {
        refused++;
      }
    }
    assertThat(refused).isBetween(500, 2999);
  }

  private double[] row(int i) {
    return new double[] {columns[0][i], columns[1][i], columns[2][i]};
  }

  private static double[][] columns() {
    var random = new SplittableRandom(1);
    double[][] columns = new double[3][ROWS];
    for (double[] column : columns) {
      Arrays.setAll(column, _ -> random.nextDouble(100));
    }
    return columns;
  }

  private static QuantileTrees fitted(double[][] columns) {
    var random = new SplittableRandom(2);
    double[] target = new double[ROWS];
    Arrays.setAll(target, i -> columns[0][i] > 50 ? columns[1][i] : random.nextDouble(100));
    var settings = new QuantileBoosting.Settings(60, 0.1, 8, 0.7, 20, 0.7, 1);
    return QuantileBoosting.fit(BinnedColumns.of(columns), target, LEVELS, settings);
  }
}
