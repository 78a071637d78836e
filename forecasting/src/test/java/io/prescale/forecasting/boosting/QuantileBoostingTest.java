package io.prescale.forecasting.boosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuantileBoostingTest {

  @Test
  void quantilesCoverWhatTheyPromiseWhereNoiseIsNarrowAndWhereItIsWide() {
    var train = heteroscedastic(4000, 1);
    var test = heteroscedastic(20_000, 2);
    var trees = train.fit(Samples.settings(150, 40, 1));
    for (boolean wide : new boolean[] {false, true}) {
      var half = where(test, wide);
      for (int q = 0; q < Samples.QUANTILES.length; q++) {
        assertThat(half.coverage(trees, q, 0, half.rows()))
            .as("level %s, wide %s", Samples.QUANTILES[q], wide)
            .isCloseTo(Samples.QUANTILES[q], within(0.03));
      }
    }
  }

  @Test
  void theWidthFollowsTheNoise() {
    var trees = heteroscedastic(4000, 3).fit(Samples.settings(150, 40, 1));
    double[] narrow = trees.predict(new double[] {0.1, 0.5});
    double[] wide = trees.predict(new double[] {0.9, 0.5});
    // Deviations 1.2 and 2.8: the 10 % to 95 % ranges are 2.93 of them.
    assertThat(narrow[2] - narrow[0]).isCloseTo(1.2 * 2.93, within(0.7));
    assertThat(wide[2] - wide[0]).isCloseTo(2.8 * 2.93, within(1.6));
  }

  @Test
  void recoversAnInteractionOfTwoSteps() {
    var data =
        Samples.of(
            3000,
            4,
            new Samples.Uniform(4),
            (x, noise) -> (x[0] > 0.5 == x[1] > 0.5 ? 10 : 20) + 0.1 * noise);
    var trees = data.fit(Samples.settings(200, 20, 1));
    for (double a : new double[] {0.2, 0.8}) {
      for (double b : new double[] {0.2, 0.8}) {
        double median = trees.predict(new double[] {a, b, 0.5, 0.5})[1];
        assertThat(median).as("%s, %s", a, b).isCloseTo(a > 0.5 == b > 0.5 ? 10 : 20, within(1.0));
      }
    }
  }

  @Test
  void aStepIsFoundWhereItIs() {
    var data =
        Samples.of(2000, 1, new Samples.Uniform(5), (x, noise) -> x[0] > 0.7 ? 5 + noise : noise);
    var trees = data.fit(Samples.settings(150, 20, 1));
    assertThat(trees.predict(new double[] {0.67})[1]).isCloseTo(0, within(0.6));
    assertThat(trees.predict(new double[] {0.73})[1]).isCloseTo(5, within(0.6));
  }

  @Test
  void quantilesNeverDecrease() {
    var trees = heteroscedastic(300, 6).fit(Samples.settings(200, 2, 1));
    var random = new Samples.Uniform(7);
    for (int i = 0; i < 2000; i++) {
      var at = trees.predict(new double[] {3 * random.next() - 1, 3 * random.next() - 1});
      assertThat(at).isSorted();
    }
  }

  @Test
  void missingFeaturesGoWithTheSmallOnes() {
    var random = new Samples.Uniform(8);
    var column = new double[1000];
    var target = new double[1000];
    for (int i = 0; i < 1000; i++) {
      column[i] = i % 4 == 0 ? Double.NaN : random.next();
      target[i] = i % 4 == 0 ? 100 : 1;
    }
    var data = new Samples(new double[][] {column}, target);
    var trees = data.fit(Samples.settings(200, 10, 1));
    // Missing is a value of its own, below all others, that can be split off.
    assertThat(trees.predict(new double[] {Double.NaN})[1]).isCloseTo(100, within(1.0));
    assertThat(trees.predict(new double[] {0.0})[1]).isCloseTo(1, within(1.0));
    assertThat(trees.predict(new double[] {0.9})[1]).isCloseTo(1, within(1.0));

    var complete = heteroscedastic(1000, 9).fit(Samples.settings(100, 20, 1));
    assertThat(complete.predict(new double[] {Double.NaN, 0.5}))
        .as("never missing in training: as the smallest")
        .containsExactly(complete.predict(new double[] {-1e9, 0.5}));
  }

  @Test
  void aColumnThatIsAlwaysMissingIsIgnored() {
    var data = heteroscedastic(500, 10);
    var columns = Arrays.copyOf(data.columns, 3);
    columns[2] = new double[500];
    Arrays.fill(columns[2], Double.NaN);
    var trees = new Samples(columns, data.target).fit(Samples.settings(50, 10, 1));
    assertThat(trees.predict(new double[] {0.5, 0.5, 7}))
        .containsExactly(trees.predict(new double[] {0.5, 0.5, Double.NaN}));
  }

  @Test
  void aConstantTargetIsPredictedExactly() {
    var data = Samples.of(200, 3, new Samples.Uniform(11), (x, noise) -> 42);
    var trees = data.fit(Samples.settings(30, 5, 1));
    assertThat(trees.predict(new double[] {0.5, 0.5, 0.5})).containsExactly(42, 42, 42);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 19})
  void fewerRowsThanALeafNeedsGiveTheirQuantiles(int rows) {
    var data = Samples.of(rows, 2, new Samples.Uniform(12), (x, noise) -> 7);
    var trees = data.fit(Samples.settings(20, 20, 1));
    assertThat(trees.predict(new double[] {0.5, 0.5})).containsExactly(7, 7, 7);
  }

  @Test
  void duplicatedColumnsChangeTheLossLittle() {
    var train = heteroscedastic(2000, 13);
    var twice = new Samples(concat(train.columns, train.columns), train.target);
    var test = heteroscedastic(4000, 14);
    var testTwice = new Samples(concat(test.columns, test.columns), test.target);
    double once = test.pinballLoss(train.fit(Samples.settings(150, 20, 1)), 2);
    double doubled = testTwice.pinballLoss(twice.fit(Samples.settings(150, 20, 1)), 2);
    assertThat(doubled / once).isBetween(0.95, 1.05);
  }

  @Test
  void theSameSeedGivesTheSameBitsAndAnotherSeedOthers() {
    var data = heteroscedastic(800, 15);
    var row = new double[] {0.3, 0.6};
    double[] first = data.fit(Samples.settings(60, 10, 1)).predict(row);
    assertThat(data.fit(Samples.settings(60, 10, 1)).predict(row)).containsExactly(first);
    assertThat(data.fit(Samples.settings(60, 10, 2)).predict(row)).isNotEqualTo(first);
  }

  @Test
  void refusesMismatchedArguments() {
    var columns = BinnedColumns.of(new double[][] {{1, 2, 3}});
    var settings = Samples.settings(5, 1, 1);
    assertThatThrownBy(
            () -> QuantileBoosting.fit(columns, new double[2], Samples.QUANTILES, settings))
        .hasMessage("3 rows of features, 2 targets");
    assertThatThrownBy(
            () ->
                QuantileBoosting.fit(
                    BinnedColumns.of(new double[1][0]), new double[0], Samples.QUANTILES, settings))
        .hasMessage("0 rows of features, 0 targets");
    assertThatThrownBy(() -> BinnedColumns.of(new double[0][])).hasMessage("no columns");
    assertThatThrownBy(() -> BinnedColumns.of(new double[][] {{1}, {1, 2}}))
        .hasMessage("column 1 has 2 rows, column 0 has 1");
    var trees = QuantileBoosting.fit(columns, new double[3], Samples.QUANTILES, settings);
    assertThatThrownBy(() -> trees.predict(new double[2])).hasMessage("2 features, fitted with 1");
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void refusesATargetThatIsNotANumber(double target) {
    var columns = BinnedColumns.of(new double[][] {{1, 2, 3}});
    assertThatThrownBy(
            () ->
                QuantileBoosting.fit(
                    columns,
                    new double[] {1, target, 2},
                    Samples.QUANTILES,
                    Samples.settings(5, 1, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("row 1");
  }

  @Test
  void refusesInvalidLevels() {
    var columns = BinnedColumns.of(new double[][] {{1, 2, 3}});
    double[][] wrong = {{}, {0}, {1}, {Double.NaN}, {0.5, 0.5}, {0.9, 0.1}};
    for (double[] levels : wrong) {
      assertThatThrownBy(
              () -> QuantileBoosting.fit(columns, new double[3], levels, Samples.settings(5, 1, 1)))
          .as(Arrays.toString(levels))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("ascend");
    }
  }

  @Test
  void refusesInvalidSettings() {
    assertThatThrownBy(() -> Samples.settings(0, 1, 1))
        .hasMessage("trees 0, leaves 8, minLeafRows 1");
    assertThatThrownBy(() -> Samples.settings(1, 0, 1)).hasMessageContaining("minLeafRows 0");
    assertThatThrownBy(() -> new QuantileBoosting.Settings(1, 0.1, 1, 1, 1, 1, 1))
        .hasMessageContaining("leaves 1");
    for (double share : new double[] {0, -1, 1.01, Double.NaN}) {
      assertThatThrownBy(() -> new QuantileBoosting.Settings(1, share, 2, 1, 1, 1, 1))
          .hasMessageStartingWith("learningRate must lie in (0, 1]");
      assertThatThrownBy(() -> new QuantileBoosting.Settings(1, 1, 2, share, 1, 1, 1))
          .hasMessageStartingWith("columnShare must lie in (0, 1]");
      assertThatThrownBy(() -> new QuantileBoosting.Settings(1, 1, 2, 1, 1, share, 1))
          .hasMessageStartingWith("rowShare must lie in (0, 1]");
    }
  }

  /** Mean 10 + 5·x₁; the noise's deviation grows from 1 to 3 with x₀. */
  private static Samples heteroscedastic(int rows, long seed) {
    return Samples.of(
        rows, 2, new Samples.Uniform(seed), (x, noise) -> 10 + 5 * x[1] + (1 + 2 * x[0]) * noise);
  }

  private static Samples where(Samples all, boolean wide) {
    int[] rows = rowsWhere(all, wide);
    var columns = new double[all.columns.length][rows.length];
    var target = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      for (int f = 0; f < columns.length; f++) {
        columns[f][i] = all.columns[f][rows[i]];
      }
      target[i] = all.target[rows[i]];
    }
    return new Samples(columns, target);
  }

  private static int[] rowsWhere(Samples all, boolean wide) {
    return java.util.stream.IntStream.range(0, all.rows())
        .filter(i -> all.columns[0][i] > 0.5 == wide)
        .toArray();
  }

  private static double[][] concat(double[][] a, double[][] b) {
    var both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }
}
