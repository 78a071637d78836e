package io.prescale.forecasting.boosting;

import java.util.Arrays;
import java.util.function.ToDoubleBiFunction;

/** Generated rows of features with a target, and scores of a model on them. */
final class Samples {
  static final double[] QUANTILES = {0.1, 0.5, 0.95};

  final double[][] columns;
  final double[] target;

  Samples(double[][] columns, double[] target) {
    this.columns = columns;
    this.target = target;
  }

  /** Features uniform in [0, 1); the target is a function of a row and of standard noise. */
  static Samples of(
      int rows, int features, Uniform random, ToDoubleBiFunction<double[], Double> target) {
    var columns = new double[features][rows];
    var targets = new double[rows];
    for (int i = 0; i < rows; i++) {
      var row = new double[features];
      for (int f = 0; f < features; f++) {
        row[f] = random.next();
        columns[f][i] = row[f];
      }
      targets[i] = target.applyAsDouble(row, random.nextNearlyNormal());
    }
    return new Samples(columns, targets);
  }

  static QuantileBoosting.Settings settings(int trees, int minLeafRows, long seed) {
    return new QuantileBoosting.Settings(trees, 0.1, 8, 0.6, minLeafRows, 0.7, seed);
  }

  QuantileTrees fit(QuantileBoosting.Settings settings) {
    return QuantileBoosting.fit(BinnedColumns.of(columns), target, QUANTILES, settings);
  }

  int rows() {
    return target.length;
  }

  double[] row(int i) {
    return Arrays.stream(columns).mapToDouble(column -> column[i]).toArray();
  }

  /** Share of the targets at or below the predicted quantile {@code q}. */
  double coverage(QuantileTrees trees, int q, int from, int to) {
    int within = 0;
    for (int i = from; i < to; i++) {
      within += target[i] <= trees.predict(row(i))[q] ? 1 : 0;
    }
    return (double) within / (to - from);
  }

  double pinballLoss(QuantileTrees trees, int q) {
    double sum = 0;
    for (int i = 0; i < rows(); i++) {
      double error = target[i] - trees.predict(row(i))[q];
      sum += Math.max(QUANTILES[q] * error, (QUANTILES[q] - 1) * error);
    }
    return sum / rows();
  }

  /**
   * Knuth's MMIX linear congruential generator: three lines in any language, so that a reference in
   * another one sees the same data.
   */
  static final class Uniform {
    private long state;

    Uniform(long seed) {
      this.state = seed;
    }

    double next() {
      state = state * 6364136223846793005L + 1442695040888963407L;
      return (state >>> 11) * 0x1p-53;
    }

    /** Mean 0, variance 1 (Irwin–Hall). */
    double nextNearlyNormal() {
      double sum = -6;
      for (int i = 0; i < 12; i++) {
        sum += next();
      }
      return sum;
    }
  }
}
