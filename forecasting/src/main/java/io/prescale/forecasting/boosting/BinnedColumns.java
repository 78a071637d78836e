package io.prescale.forecasting.boosting;

import java.util.Arrays;

/**
 * Training columns reduced to at most {@value #MAX_BINS} codes each, as histogram boosting needs
 * them (Ke et al., "LightGBM", NeurIPS 2017, §2).
 *
 * <p>A column's edges are quantiles of its finite values, so codes are about equally filled. Code 0
 * is "missing" (NaN); code {@code c ≥ 1} holds the values in {@code (edge[c-2], edge[c-1]]}. O(rows
 * · log rows) a column.
 */
public final class BinnedColumns {
  static final int MAX_BINS = 64;

  private final byte[][] codes;
  private final double[][] edges;
  private final int rows;

  private BinnedColumns(byte[][] codes, double[][] edges, int rows) {
    this.codes = codes;
    this.edges = edges;
    this.rows = rows;
  }

  /** Bins {@code columns[feature][row]}, NaN where missing; all columns have as many rows. */
  public static BinnedColumns of(double[][] columns) {
    if (columns.length == 0) {
      throw new IllegalArgumentException("no columns");
    }
    int rows = columns[0].length;
    byte[][] codes = new byte[columns.length][];
    double[][] edges = new double[columns.length][];
    double[] sorted = new double[rows];
    for (int f = 0; f < columns.length; f++) {
      if (columns[f].length != rows) {
        throw new IllegalArgumentException(
            "column " + f + " has " + columns[f].length + " rows, column 0 has " + rows);
      }
      edges[f] = edges(columns[f], sorted);
      codes[f] = encode(columns[f], edges[f]);
    }
    return new BinnedColumns(codes, edges, rows);
  }

  int rows() {
    return rows;
  }

  int features() {
    return codes.length;
  }

  byte[] codes(int feature) {
    return codes[feature];
  }

  /** The upper edge of a code: a raw value goes left of the split iff it is missing or ≤ this. */
  double threshold(int feature, int code) {
    return code == 0 ? Double.NEGATIVE_INFINITY : edges[feature][code - 1];
  }

  private static double[] edges(double[] column, double[] scratch) {
    int finite = 0;
    for (double v : column) {
      if (!Double.isNaN(v)) {
        scratch[finite++] = v;
      }
    }
    Arrays.sort(scratch, 0, finite);
    double[] edges = new double[MAX_BINS - 1];
    int count = 0;
    for (int b = 1; b < MAX_BINS - 1 && finite > 0; b++) {
      int at = (int) ((long) b * finite / (MAX_BINS - 1));
      // Half-way to the next distinct value, so that a split does not depend on one observation.
      double low = scratch[Math.max(0, at - 1)];
      double high = scratch[Math.min(at, finite - 1)];
      double edge = low == high ? high : 0.5 * (low + high);
      if (count == 0 || edge > edges[count - 1]) {
        edges[count++] = edge;
      }
    }
    return Arrays.copyOf(edges, count);
  }

  private static byte[] encode(double[] column, double[] edges) {
    byte[] codes = new byte[column.length];
    for (int i = 0; i < column.length; i++) {
      double v = column[i];
      if (!Double.isNaN(v)) {
        int at = Arrays.binarySearch(edges, v);
        codes[i] = (byte) (1 + (at >= 0 ? at : -at - 1));
      }
    }
    return codes;
  }
}
