package io.prescale.forecasting.boosting;

import java.util.Arrays;

/**
 * Grows one regression tree leaf-wise: it always splits the leaf with the largest gain. Rows of a
 * node are a contiguous range of {@code order}; a split partitions the range stably. The smaller
 * child's histogram is counted, the larger one's is its parent's minus that.
 */
final class TreeGrower {
  private static final int BINS = BinnedColumns.MAX_BINS;

  private final BinnedColumns columns;
  private final int[] candidates;
  private final int[] gradient;
  private final int[] order;
  private final int[] spare;
  private final int maxLeaves;
  private final int minRows;
  private final int sampled;
  private final long[] packed;

  private final int[] feature;
  private final int[] code;
  private final int[] left;
  private final int[] right;
  private int nodes;

  /**
   * A leaf that may still be split; {@code parent} and {@code isLeft} say which child link it is.
   */
  private static final class Leaf {
    final int from;
    final int to;
    final int parent;
    final boolean isLeft;
    final long[] histogram;
    double gain;
    int feature;
    int code;

    Leaf(int from, int to, int parent, boolean isLeft, long[] histogram) {
      this.from = from;
      this.to = to;
      this.parent = parent;
      this.isLeft = isLeft;
      this.histogram = histogram;
    }
  }

  /** The grown structure; leaves are ranges of the row order. */
  static final class Grown {
    final int[] feature;
    final int[] code;
    final double[] threshold;
    final int[] left;
    final int[] right;
    final int[] leafStart;
    final int[] leafEnd;

    Grown(
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

    /** The leaf of each training row, sampled or not. O(rows · depth). */
    int[] leafOfEveryRow(BinnedColumns columns) {
      int[] leaf = new int[columns.rows()];
      byte[][] codes = new byte[feature.length][];
      for (int n = 0; n < feature.length; n++) {
        codes[n] = columns.codes(feature[n]);
      }
      for (int i = 0; i < leaf.length; i++) {
        int at = feature.length == 0 ? -1 : 0;
        while (at >= 0) {
          at = codes[at][i] > code[at] ? right[at] : left[at];
        }
        leaf[i] = -at - 1;
      }
      return leaf;
    }
  }

  TreeGrower(
      BinnedColumns columns,
      int[] candidates,
      int[] gradient,
      int[] order,
      int[] spare,
      int sampled,
      QuantileBoosting.Settings settings) {
    this.columns = columns;
    this.candidates = candidates;
    this.gradient = gradient;
    this.order = order;
    this.spare = spare;
    this.sampled = sampled;
    this.maxLeaves = settings.leaves();
    this.minRows = settings.minLeafRows();
    this.packed = new long[sampled];
    this.feature = new int[maxLeaves - 1];
    this.code = new int[maxLeaves - 1];
    this.left = new int[maxLeaves - 1];
    this.right = new int[maxLeaves - 1];
  }

  Grown grow() {
    Leaf[] leaves = new Leaf[maxLeaves];
    leaves[0] = new Leaf(0, sampled, -1, false, count(0, sampled));
    findSplit(leaves[0]);
    int count = 1;
    while (count < maxLeaves) {
      int best = bestOf(leaves, count);
      if (leaves[best].gain <= 0) {
        break;
      }
      leaves[count++] = split(leaves, best);
    }
    return finish(leaves, count);
  }

  private static int bestOf(Leaf[] leaves, int count) {
    int best = 0;
    for (int i = 1; i < count; i++) {
      if (leaves[i].gain > leaves[best].gain) {
        best = i;
      }
    }
    return best;
  }

  private Leaf split(Leaf[] leaves, int at) {
    Leaf parent = leaves[at];
    int node = nodes++;
    feature[node] = parent.feature;
    code[node] = parent.code;
    link(parent, node);
    int middle = partition(parent);
    boolean leftIsSmaller = middle - parent.from <= parent.to - middle;
    long[] small = leftIsSmaller ? count(parent.from, middle) : count(middle, parent.to);
    long[] large = parent.histogram;
    for (int i = 0; i < large.length; i++) {
      large[i] -= small[i];
    }
    Leaf leftLeaf = new Leaf(parent.from, middle, node, true, leftIsSmaller ? small : large);
    Leaf rightLeaf = new Leaf(middle, parent.to, node, false, leftIsSmaller ? large : small);
    findSplit(leftLeaf);
    findSplit(rightLeaf);
    leaves[at] = leftLeaf;
    return rightLeaf;
  }

  private void link(Leaf leaf, int target) {
    if (leaf.parent >= 0) {
      (leaf.isLeft ? left : right)[leaf.parent] = target;
    }
  }

  private int partition(Leaf leaf) {
    byte[] codes = columns.codes(leaf.feature);
    int kept = leaf.from;
    int moved = 0;
    for (int i = leaf.from; i < leaf.to; i++) {
      int row = order[i];
      if (codes[row] <= leaf.code) {
        order[kept++] = row;
      } else {
        spare[moved++] = row;
      }
    }
    System.arraycopy(spare, 0, order, kept, moved);
    return kept;
  }

  private long[] count(int from, int to) {
    long[] histogram = new long[candidates.length * BINS];
    for (int i = from; i < to; i++) {
      packed[i] = QuantileBoosting.packed(gradient[order[i]]);
    }
    for (int c = 0; c < candidates.length; c++) {
      byte[] codes = columns.codes(candidates[c]);
      int offset = c * BINS;
      for (int i = from; i < to; i++) {
        histogram[offset + codes[order[i]]] += packed[i];
      }
    }
    return histogram;
  }

  /** Best split of a leaf by the gain G²/n of both sides over that of the whole. */
  private void findSplit(Leaf leaf) {
    int rows = leaf.to - leaf.from;
    if (rows < 2 * minRows) {
      return;
    }
    for (int c = 0; c < candidates.length; c++) {
      int offset = c * BINS;
      long all = 0;
      for (int b = 0; b < BINS; b++) {
        all += leaf.histogram[offset + b];
      }
      double total = QuantileBoosting.gradientSum(all);
      double whole = total * total / rows;
      long below = 0;
      for (int b = 0; b < BINS - 1; b++) {
        below += leaf.histogram[offset + b];
        int n = QuantileBoosting.count(below);
        if (n >= minRows && rows - n >= minRows) {
          double g = QuantileBoosting.gradientSum(below);
          double rest = total - g;
          double gain = g * g / n + rest * rest / (rows - n) - whole;
          if (gain > leaf.gain + 1e-9) {
            leaf.gain = gain;
            leaf.feature = candidates[c];
            leaf.code = b;
          }
        }
      }
    }
  }

  private Grown finish(Leaf[] leaves, int count) {
    int[] start = new int[count];
    int[] end = new int[count];
    double[] threshold = new double[nodes];
    for (int leaf = 0; leaf < count; leaf++) {
      start[leaf] = leaves[leaf].from;
      end[leaf] = leaves[leaf].to;
      link(leaves[leaf], -leaf - 1);
    }
    for (int n = 0; n < nodes; n++) {
      threshold[n] = columns.threshold(feature[n], code[n]);
    }
    return new Grown(
        Arrays.copyOf(feature, nodes),
        Arrays.copyOf(code, nodes),
        threshold,
        Arrays.copyOf(left, nodes),
        Arrays.copyOf(right, nodes),
        start,
        end);
  }
}
