package io.prescale.forecasting.boosting;

import java.util.Arrays;

/**
 * A fitted ensemble: for a row of features, it predicts one number per quantile. Immutable;
 * prediction costs trees × depth comparisons and allocates only its answer.
 *
 * <p>The binary trees lie one behind the other in common arrays, because an object for each would
 * take as much memory as what it holds. A node sends a row to its left child if its feature is
 * missing or at most its threshold, else to its right one. Children are numbered within their tree;
 * a negative child {@code c} is the leaf {@code -c - 1}.
 */
public final class QuantileTrees {
  private final double[] start;
  private final int features;

  /** The first node of each tree, and the end. */
  private final int[] first;

  private final int[] feature;
  private final double[] threshold;
  private final short[] left;
  private final short[] right;

  /** By leaf, then by quantile. A tree has a leaf more than it has nodes. */
  private final float[] values;

  /**
   * @param trees their structures
   * @param values those of the leaves of each tree, by leaf, then by quantile
   */
  QuantileTrees(double[] start, int features, TreeGrower.Grown[] trees, float[][] values) {
    this.start = start;
    this.features = features;
    this.first = new int[trees.length + 1];
    for (int t = 0; t < trees.length; t++) {
      first[t + 1] = first[t] + trees[t].feature.length;
    }
    int nodes = first[trees.length];
    this.feature = new int[nodes];
    this.threshold = new double[nodes];
    this.left = new short[nodes];
    this.right = new short[nodes];
    this.values = new float[(nodes + trees.length) * start.length];
    for (int t = 0; t < trees.length; t++) {
      for (int n = 0; n < trees[t].feature.length; n++) {
        feature[first[t] + n] = trees[t].feature[n];
        threshold[first[t] + n] = trees[t].threshold[n];
        left[first[t] + n] = (short) trees[t].left[n];
        right[first[t] + n] = (short) trees[t].right[n];
      }
      System.arraycopy(values[t], 0, this.values, firstLeaf(t) * start.length, values[t].length);
    }
  }

  private int firstLeaf(int tree) {
    return first[tree] + tree;
  }

  /** The predicted quantiles of one row, never decreasing; NaN features count as missing. */
  public double[] predict(double[] row) {
    if (row.length != features) {
      throw new IllegalArgumentException(row.length + " features, fitted with " + features);
    }
    double[] sum = start.clone();
    for (int t = 0; t + 1 < first.length; t++) {
      int at = (firstLeaf(t) + leafOf(row, t)) * sum.length;
      for (int q = 0; q < sum.length; q++) {
        sum[q] += values[at + q];
      }
    }
    // Rearrangement (Chernozhukov, Fernández-Val, Galichon 2010): sorting never raises the loss.
    Arrays.sort(sum);
    return sum;
  }

  private int leafOf(double[] row, int tree) {
    int root = first[tree];
    int at = root == first[tree + 1] ? -1 : 0;
    while (at >= 0) {
      int node = root + at;
      at = row[feature[node]] > threshold[node] ? right[node] : left[node];
    }
    return -at - 1;
  }
}
