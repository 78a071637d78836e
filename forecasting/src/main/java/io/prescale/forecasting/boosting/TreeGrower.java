package io.prescale.forecasting.boosting;

import java.util.Arrays;

/**
 * Grows regression trees leaf-wise, one after the other: it always splits the leaf with the largest
 * gain. Rows of a node are a contiguous range of {@code order}; a split partitions the range
 * stably. The smaller child's histogram is counted, the larger one's is its parent's minus that.
 * Histograms serve the next tree again, since new ones would be most of a fit's garbage.
 */
final class TreeGrower {
  private static final int BINS = BinnedColumns.MAX_BINS;

  private final BinnedColumns columns;
  private final int[] gradient;
  private final int[] order;
  private final int[] spare;
  private final int maxLeaves;
  private final int minRows;
  private final long[] packed;
  private final long[][] histograms;
  private final double[] inverse;
  private int[] candidates = {};
  private int counted;

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

  TreeGrower(
      BinnedColumns columns,
      int[] gradient,
      int[] order,
      int[] spare,
      QuantileBoosting.Settings settings) {
    this.columns = columns;
    this.gradient = gradient;
    this.order = order;
    this.spare = spare;
    this.maxLeaves = settings.leaves();
    this.minRows = settings.minLeafRows();
    this.packed = new long[order.length];
    this.histograms = new long[maxLeaves][];
    this.inverse = new double[order.length + 1];
    Arrays.setAll(inverse, n -> 1.0 / n);
    this.feature = new int[maxLeaves - 1];
    this.code = new int[maxLeaves - 1];
    this.left = new int[maxLeaves - 1];
    this.right = new int[maxLeaves - 1];
  }

  /** Grows a tree on the first {@code sampled} rows of the order, with some of the features. */
  GrownTree grow(int[] newCandidates, int sampled) {
    candidates = newCandidates;
    counted = 0;
    nodes = 0;
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
    long[] histogram = emptyHistogram();
    for (int i = from; i < to; i++) {
      packed[i] = QuantileBoosting.packed(gradient[order[i]]);
    }
    int c = 0;
    for (; c + 3 < candidates.length; c += 4) {
      countFour(histogram, c, from, to);
    }
    for (; c < candidates.length; c++) {
      byte[] codes = columns.codes(candidates[c]);
      int offset = c * BINS;
      for (int i = from; i < to; i++) {
        histogram[offset + codes[order[i]]] += packed[i];
      }
    }
    return histogram;
  }

  /** Four features at a time do not wait for each other's additions. */
  private void countFour(long[] histogram, int c, int from, int to) {
    byte[] codes0 = columns.codes(candidates[c]);
    byte[] codes1 = columns.codes(candidates[c + 1]);
    byte[] codes2 = columns.codes(candidates[c + 2]);
    byte[] codes3 = columns.codes(candidates[c + 3]);
    int offset = c * BINS;
    for (int i = from; i < to; i++) {
      int row = order[i];
      long one = packed[i];
      histogram[offset + codes0[row]] += one;
      histogram[offset + BINS + codes1[row]] += one;
      histogram[offset + 2 * BINS + codes2[row]] += one;
      histogram[offset + 3 * BINS + codes3[row]] += one;
    }
  }

  private long[] emptyHistogram() {
    int at = counted++;
    if (histograms[at] == null) {
      histograms[at] = new long[candidates.length * BINS];
    } else {
      Arrays.fill(histograms[at], 0);
    }
    return histograms[at];
  }

  /** Finds the best split of a leaf by the gain G²/n of both sides over that of the whole. */
  private void findSplit(Leaf leaf) {
    int rows = leaf.to - leaf.from;
    if (rows < 2 * minRows) {
      return;
    }
    long all = 0;
    for (int b = 0; b < BINS; b++) {
      all += leaf.histogram[b];
    }
    double total = QuantileBoosting.gradientSum(all);
    for (int c = 0; c < candidates.length; c++) {
      findSplit(leaf, c, rows, total);
    }
  }

  private void findSplit(Leaf leaf, int candidate, int rows, double total) {
    int feature = candidates[candidate];
    int offset = candidate * BINS;
    long[] histogram = leaf.histogram;
    double whole = total * total / rows;
    double enough = leaf.gain + whole;
    long below = 0;
    for (int b = 0; b < BINS - 1; b++) {
      below += histogram[offset + b];
      int n = QuantileBoosting.count(below);
      if (n < minRows) {
        continue;
      }
      int rest = rows - n;
      if (rest < minRows) {
        break;
      }
      double g = QuantileBoosting.gradientSum(below);
      double h = total - g;
      // Nearly every split is dismissed without a division.
      if (g * g * inverse[n] + h * h * inverse[rest] > enough) {
        double gain = g * g / n + h * h / rest - whole;
        if (gain > leaf.gain + 1e-9) {
          leaf.gain = gain;
          leaf.feature = feature;
          leaf.code = b;
          enough = gain + whole;
        }
      }
    }
  }

  private GrownTree finish(Leaf[] leaves, int count) {
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
    return new GrownTree(
        Arrays.copyOf(feature, nodes),
        Arrays.copyOf(code, nodes),
        threshold,
        Arrays.copyOf(left, nodes),
        Arrays.copyOf(right, nodes),
        start,
        end);
  }
}
