package io.prescale.forecasting.boosting;

import java.nio.BufferUnderflowException;
import java.nio.IntBuffer;
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
  private static final int LEAF_UNITS = 36;
  private static final int LEFT_IS_NODE = 1;
  private static final int RIGHT_IS_NODE = 2;

  /** Of a tree that is read: its depth is bounded by this. */
  private static final int MOST_NODES_READ = 1000;

  private static final int UNSAVED_BITS = 14;

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
  QuantileTrees(double[] start, int features, GrownTree[] trees, float[][] values) {
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

  private QuantileTrees(double[] start, int features, int[] first) {
    int trees = first.length - 1;
    int nodes = first[trees];
    this.start = start;
    this.features = features;
    this.first = first;
    this.feature = new int[nodes];
    this.threshold = new double[nodes];
    this.left = new short[nodes];
    this.right = new short[nodes];
    this.values = new float[(nodes + trees) * start.length];
  }

  /**
   * The ensemble as numbers, for {@link #ofNumbers}, alike ones beside each other so that they
   * compress well. It predicts nearly the same again: thresholds keep 10 binary digits, rounded up
   * so that the training value they were taken from stays below; the square roots of leaves' values
   * are rounded to a 36th of the largest, so that a burst does not hide what is usual.
   */
  public int[] toNumbers() {
    int trees = first.length - 1;
    float unit = unit();
    int size = 4 + start.length + trees + 3 * feature.length + values.length;
    var numbers = IntBuffer.allocate(size);
    numbers.put(start.length).put(features).put(trees).put(Float.floatToIntBits(unit));
    for (double value : start) {
      numbers.put(Float.floatToIntBits((float) value));
    }
    for (int t = 0; t < trees; t++) {
      numbers.put(first[t + 1] - first[t]);
    }
    write(numbers, unit);
    return numbers.array();
  }

  /** Writes nodes and leaves for {@link #fill}. */
  private void write(IntBuffer numbers, float unit) {
    int[] order = new int[feature.length];
    int[] leaves = new int[values.length / start.length];
    for (int t = 0; t + 1 < first.length; t++) {
      int root = first[t] == first[t + 1] ? -1 : 0;
      walk(t, root, order, leaves, new int[] {first[t], firstLeaf(t)});
    }
    for (int node : order) {
      numbers.put(feature[node]);
    }
    for (int node : order) {
      numbers.put(roundedUp((float) threshold[node]));
    }
    for (int node : order) {
      numbers.put((left[node] >= 0 ? LEFT_IS_NODE : 0) + (right[node] >= 0 ? RIGHT_IS_NODE : 0));
    }
    for (int leaf : leaves) {
      for (int q = 0; q < start.length; q++) {
        double root = SmallCodes.root(values[leaf * start.length + q]);
        numbers.put(SmallCodes.zigzag((int) Math.rint(root / unit)));
      }
    }
  }

  /**
   * Lists nodes before their children, and leaves from left to right.
   *
   * @param next the next places in {@code order} and {@code leaves}
   */
  private void walk(int tree, int at, int[] order, int[] leaves, int[] next) {
    if (at < 0) {
      leaves[next[1]++] = firstLeaf(tree) - at - 1;
      return;
    }
    int node = first[tree] + at;
    order[next[0]++] = node;
    walk(tree, left[node], order, leaves, next);
    walk(tree, right[node], order, leaves, next);
  }

  private float unit() {
    float largest = 0;
    for (float value : values) {
      largest = Math.max(largest, Math.abs(value));
    }
    return (float) Math.max(SmallCodes.root(largest) / LEAF_UNITS, Float.MIN_NORMAL);
  }

  private static int roundedUp(float value) {
    int bits = Float.floatToIntBits(value);
    boolean grows = bits > 0 && Float.isFinite(value);
    return (grows ? bits + (1 << UNSAVED_BITS) - 1 : bits) >> UNSAVED_BITS << UNSAVED_BITS;
  }

  /**
   * The ensemble of {@link #toNumbers}.
   *
   * @throws IllegalArgumentException if there is none of these numbers
   */
  public static QuantileTrees ofNumbers(int[] saved) {
    try {
      return read(IntBuffer.wrap(saved));
    } catch (BufferUnderflowException | NegativeArraySizeException e) {
      throw new IllegalArgumentException(
          "holds trees that are cut short at " + saved.length + " numbers", e);
    }
  }

  private static QuantileTrees read(IntBuffer saved) {
    int quantiles = saved.get();
    int features = saved.get();
    int trees = saved.get();
    require(
        quantiles >= 1
            && features >= 1
            && trees >= 0
            && (long) quantiles + trees < saved.capacity(),
        "sizes of trees");
    double unit = Float.intBitsToFloat(saved.get());
    var start = new double[quantiles];
    Arrays.setAll(start, q -> Float.intBitsToFloat(saved.get()));
    int[] first = new int[trees + 1];
    for (int t = 0; t < trees; t++) {
      int nodes = saved.get();
      require(nodes >= 0 && nodes <= MOST_NODES_READ, "sizes of trees");
      first[t + 1] = first[t] + nodes;
    }
    int leaves = first[trees] + trees;
    require(saved.remaining() == 3L * first[trees] + (long) leaves * quantiles, "number of nodes");
    var read = new QuantileTrees(start, features, first);
    read.fill(saved, unit);
    return read;
  }

  private void fill(IntBuffer saved, double unit) {
    saved.get(feature);
    for (int n = 0; n < threshold.length; n++) {
      threshold[n] = Float.intBitsToFloat(saved.get());
      require(feature[n] >= 0 && feature[n] < features, "feature");
    }
    int[] shapes = new int[feature.length];
    saved.get(shapes);
    for (int t = 0; t + 1 < first.length; t++) {
      int nodes = first[t + 1] - first[t];
      require(nodes == 0 || link(t, 0, shapes, new int[1]) == nodes, "shape");
    }
    for (int v = 0; v < values.length; v++) {
      values[v] = (float) SmallCodes.ofRoot(SmallCodes.ofZigzag(saved.get()) * unit);
      require(Float.isFinite(values[v]), "leaf");
    }
  }

  /**
   * Numbers the children of a node in the order of {@link #walk}.
   *
   * @param leaf the next leaf's number
   * @return the number after those of its descendants
   */
  private int link(int tree, int at, int[] shapes, int[] leaf) {
    require(at < first[tree + 1] - first[tree], "shape");
    int node = first[tree] + at;
    int next = at + 1;
    left[node] = (short) ((shapes[node] & LEFT_IS_NODE) != 0 ? next : - ++leaf[0]);
    next = left[node] < 0 ? next : link(tree, next, shapes, leaf);
    right[node] = (short) ((shapes[node] & RIGHT_IS_NODE) != 0 ? next : - ++leaf[0]);
    return right[node] < 0 ? next : link(tree, next, shapes, leaf);
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalArgumentException("holds no trees: impossible " + what);
    }
  }

  private int firstLeaf(int tree) {
    return first[tree] + tree;
  }

  /** Whether rows have so many features and predictions so many quantiles. */
  public boolean isFor(int rowFeatures, int quantiles) {
    return rowFeatures == features && quantiles == start.length;
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
