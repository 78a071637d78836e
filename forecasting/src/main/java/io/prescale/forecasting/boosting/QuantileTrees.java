package io.prescale.forecasting.boosting;

/**
 * A fitted ensemble: for a row of features, it predicts one number per quantile. Immutable;
 * prediction costs trees × depth comparisons and allocates only its answer.
 */
public final class QuantileTrees {
  private final double[] start;
  private final Tree[] trees;
  private final int features;

  QuantileTrees(double[] start, Tree[] trees, int features) {
    this.start = start;
    this.trees = trees;
    this.features = features;
  }

  /**
   * A binary tree in arrays. Node {@code n} sends a row to {@code left[n]} if its feature is
   * missing or at most {@code threshold[n]}, else to {@code right[n]}; a negative child {@code c}
   * is the leaf {@code -c - 1}, whose values lie at {@code leaf · quantiles} of {@code values}.
   */
  static final class Tree {
    final int[] feature;
    final double[] threshold;
    final int[] left;
    final int[] right;
    final float[] values;

    Tree(int[] feature, double[] threshold, int[] left, int[] right, float[] values) {
      this.feature = feature;
      this.threshold = threshold;
      this.left = left;
      this.right = right;
      this.values = values;
    }

    int leafOf(double[] row) {
      int at = feature.length == 0 ? -1 : 0;
      while (at >= 0) {
        at = row[feature[at]] > threshold[at] ? right[at] : left[at];
      }
      return -at - 1;
    }
  }

  /** The predicted quantiles of one row, never decreasing; NaN features count as missing. */
  public double[] predict(double[] row) {
    if (row.length != features) {
      throw new IllegalArgumentException(row.length + " features, fitted with " + features);
    }
    double[] sum = start.clone();
    for (Tree tree : trees) {
      int at = tree.leafOf(row) * sum.length;
      for (int q = 0; q < sum.length; q++) {
        sum[q] += tree.values[at + q];
      }
    }
    // Rearrangement (Chernozhukov, Fernández-Val, Galichon 2010): sorting never raises the loss.
    java.util.Arrays.sort(sum);
    return sum;
  }
}
