package io.prescale.forecasting.boosting;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Gradient boosting for several quantiles of one target, with trees that all quantiles share.
 *
 * <p>Friedman (2001), "Greedy function approximation", with the pinball loss: a tree is grown on
 * the loss's negative gradient and each leaf takes the exact quantile of its residuals (his §4.3,
 * for absolute loss). A round's structure follows one quantile's gradient, taken in turn, and the
 * leaf values of every quantile are fitted in it, so one histogram pass serves all of them. Trees
 * grow leaf-wise on histograms with the subtraction trick (Ke et al., LightGBM, 2017); rows and
 * columns are sampled for each tree (Friedman 2002).
 *
 * <p>O(trees · depth · rows · features · shares) additions; deterministic for a seed.
 */
public final class QuantileBoosting {
  /** Count and biased integer gradient share one long, so a row costs one addition. */
  private static final int COUNT_SHIFT = 40;

  private static final int GRADIENT_SCALE = 1 << 10;

  /** How many values {@link SplittableRandom#nextDouble} has. */
  private static final double RANDOM_DOUBLES = 0x1p53;

  private static final int GRADIENT_BIAS = 1 << 11;

  private final BinnedColumns columns;
  private final double[] target;
  private final double[] quantiles;
  private final Settings settings;
  private final SplittableRandom random;
  private final double[][] fitted;
  private final int[] gradient;
  private final int[] order;
  private final int[] spare;
  private final double[] scratch;
  private final TreeGrower grower;
  private int sampled;

  /**
   * How an ensemble is grown. Amounts and shares take turns, so that none can pass for its
   * neighbour.
   *
   * @param trees boosting rounds
   * @param learningRate shrinkage of each tree, in (0, 1]
   * @param leaves maximum number of leaves of a tree, from 2 to {@value #MOST_LEAVES}
   * @param columnShare share of the columns that a tree may use, in (0, 1]
   * @param minLeafRows minimum number of sampled rows in a leaf
   * @param rowShare share of the rows that a tree is grown on, in (0, 1]
   * @param seed of the sampling
   */
  public record Settings(
      int trees,
      double learningRate,
      int leaves,
      double columnShare,
      int minLeafRows,
      double rowShare,
      long seed) {
    static final int MOST_LEAVES = Short.MAX_VALUE;

    public Settings {
      if (trees < 1 || leaves < 2 || leaves > MOST_LEAVES || minLeafRows < 1) {
        throw new IllegalArgumentException(
            "trees " + trees + ", leaves " + leaves + ", minLeafRows " + minLeafRows);
      }
      requireShare("learningRate", learningRate);
      requireShare("columnShare", columnShare);
      requireShare("rowShare", rowShare);
    }

    private static void requireShare(String name, double value) {
      if (!(value > 0 && value <= 1)) {
        throw new IllegalArgumentException(name + " must lie in (0, 1], is " + value);
      }
    }
  }

  private QuantileBoosting(
      BinnedColumns columns, double[] target, double[] quantiles, Settings settings) {
    this.columns = columns;
    this.target = target;
    this.quantiles = quantiles;
    this.settings = settings;
    this.random = new SplittableRandom(settings.seed());
    this.fitted = new double[quantiles.length][target.length];
    this.gradient = new int[target.length];
    this.order = new int[target.length];
    this.spare = new int[target.length];
    this.scratch = new double[target.length];
    this.grower = new TreeGrower(columns, gradient, order, spare, settings);
  }

  /**
   * Fits the ensemble.
   *
   * @param columns the features; may serve several fits
   * @param target one finite number per row
   * @param quantiles ascending levels in (0, 1)
   */
  public static QuantileTrees fit(
      BinnedColumns columns, double[] target, double[] quantiles, Settings settings) {
    if (target.length == 0 || columns.rows() != target.length) {
      throw new IllegalArgumentException(
          columns.rows() + " rows of features, " + target.length + " targets");
    }
    requireFinite(target);
    requireAscending(quantiles);
    return new QuantileBoosting(columns, target, quantiles, settings).boost();
  }

  private static void requireFinite(double[] target) {
    for (int i = 0; i < target.length; i++) {
      if (!Double.isFinite(target[i])) {
        throw new IllegalArgumentException("target of row " + i + " is " + target[i]);
      }
    }
  }

  private static void requireAscending(double[] quantiles) {
    boolean ascending = quantiles.length > 0;
    double above = 0;
    for (double level : quantiles) {
      ascending &= level > above && level < 1;
      above = level;
    }
    if (!ascending) {
      throw new IllegalArgumentException(
          "quantiles must ascend within (0, 1): " + Arrays.toString(quantiles));
    }
  }

  private QuantileTrees boost() {
    double[] start = new double[quantiles.length];
    for (int q = 0; q < quantiles.length; q++) {
      System.arraycopy(target, 0, scratch, 0, target.length);
      start[q] = Quantile.select(scratch, 0, target.length, quantiles[q]);
      Arrays.fill(fitted[q], start[q]);
    }
    GrownTree[] trees = new GrownTree[settings.trees()];
    float[][] values = new float[trees.length][];
    for (int t = 0; t < trees.length; t++) {
      trees[t] = grow(t % quantiles.length);
      values[t] = leafValues(trees[t]);
      addToFit(trees[t], values[t]);
    }
    return new QuantileTrees(start, columns.features(), trees, values);
  }

  private GrownTree grow(int leading) {
    sampleRows();
    computeGradient(leading);
    return grower.grow(sampleColumns(), sampled);
  }

  /** Puts the sampled rows first in the order, ascending, and the others after them. */
  private void sampleRows() {
    sampled = 0;
    int others = 0;
    // The bits of nextDouble, compared before they are turned into one.
    long share = (long) Math.ceil(settings.rowShare() * RANDOM_DOUBLES);
    for (int i = 0; i < target.length; i++) {
      // Both are written and one counts: a branch that no processor can foresee would cost more.
      order[sampled] = i;
      spare[others] = i;
      int kept = random.nextLong() >>> 11 < share ? 1 : 0;
      sampled += kept;
      others += 1 - kept;
    }
    System.arraycopy(spare, 0, order, sampled, others);
  }

  private int[] sampleColumns() {
    int[] all = new int[columns.features()];
    Arrays.setAll(all, i -> i);
    int keep = Math.max(1, (int) Math.round(settings.columnShare() * all.length));
    for (int i = 0; i < keep; i++) {
      int j = i + random.nextInt(all.length - i);
      int swap = all[i];
      all[i] = all[j];
      all[j] = swap;
    }
    return Arrays.copyOf(all, keep);
  }

  private void computeGradient(int leading) {
    double[] fit = fitted[leading];
    int above = (int) Math.round(quantiles[leading] * GRADIENT_SCALE);
    int below = above - GRADIENT_SCALE;
    for (int i = 0; i < target.length; i++) {
      gradient[i] = target[i] > fit[i] ? above : below;
    }
  }

  private float[] leafValues(GrownTree grown) {
    int leaves = grown.leafStart.length;
    float[] values = new float[leaves * quantiles.length];
    for (int leaf = 0; leaf < leaves; leaf++) {
      int from = grown.leafStart[leaf];
      int to = grown.leafEnd[leaf];
      for (int q = 0; q < quantiles.length && to > from; q++) {
        for (int i = from; i < to; i++) {
          int row = order[i];
          scratch[i] = target[row] - fitted[q][row];
        }
        double value = Quantile.select(scratch, from, to, quantiles[q]);
        values[leaf * quantiles.length + q] = (float) (settings.learningRate() * value);
      }
    }
    return values;
  }

  private void addToFit(GrownTree grown, float[] values) {
    for (int leaf = 0; leaf < grown.leafStart.length; leaf++) {
      for (int q = 0; q < quantiles.length; q++) {
        double[] fit = fitted[q];
        float value = values[leaf * quantiles.length + q];
        for (int i = grown.leafStart[leaf]; i < grown.leafEnd[leaf]; i++) {
          fit[order[i]] += value;
        }
      }
    }
    byte[][] codes = grown.codes(columns);
    for (int i = sampled; i < order.length; i++) {
      int row = order[i];
      int at = grown.leafOf(codes, row) * quantiles.length;
      for (int q = 0; q < quantiles.length; q++) {
        fitted[q][row] += values[at + q];
      }
    }
  }

  static long packed(int gradient) {
    return (1L << COUNT_SHIFT) | (gradient + GRADIENT_BIAS);
  }

  static int count(long packed) {
    return (int) (packed >>> COUNT_SHIFT);
  }

  static double gradientSum(long packed) {
    long biased = packed & ((1L << COUNT_SHIFT) - 1);
    return (double) (biased - (long) count(packed) * GRADIENT_BIAS) / GRADIENT_SCALE;
  }
}
