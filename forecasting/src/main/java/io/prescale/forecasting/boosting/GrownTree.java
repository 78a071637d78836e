package io.prescale.forecasting.boosting;

/** The structure of a tree as it was grown; leaves are ranges of the row order. */
final class GrownTree {
  final int[] feature;
  final int[] code;
  final double[] threshold;
  final int[] left;
  final int[] right;
  final int[] leafStart;
  final int[] leafEnd;

  GrownTree(
      int[] feature,
      int[] code,
      double[] threshold,
      int[] left,
      int[] right,
      int[] leafStart,
      int[] leafEnd) {
    this.feature = feature;
    this.code = code;
    this.threshold = threshold;
    this.left = left;
    this.right = right;
    this.leafStart = leafStart;
    this.leafEnd = leafEnd;
  }

  /** The codes of each node's feature, for {@link #leafOf}. */
  byte[][] codes(BinnedColumns columns) {
    byte[][] codes = new byte[feature.length][];
    for (int n = 0; n < feature.length; n++) {
      codes[n] = columns.codes(feature[n]);
    }
    return codes;
  }

  /** The leaf of a training row, sampled or not. O(depth). */
  int leafOf(byte[][] codes, int row) {
    int at = feature.length == 0 ? -1 : 0;
    while (at >= 0) {
      at = codes[at][row] > code[at] ? right[at] : left[at];
    }
    return -at - 1;
  }
}
