package io.prescale.forecasting.classic;

import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.CholeskyDecomposition;

/**
 * Least squares over any subset of the columns of one design, whose rows are seen once.
 *
 * <p>The columns here are sines, cosines and a line, all of about the same size and nearly
 * orthogonal, for which the normal equations lose no accuracy that matters, and cost half of a QR
 * decomposition for the first subset and next to nothing for the others. A small ridge keeps
 * columns apart that missing values have made equal.
 */
final class NormalEquations {
  private static final double RIDGE = 1e-7;

  private final double[][] products;
  private final double[] moments;
  private double squares;
  private int rows;

  NormalEquations(int columns) {
    products = new double[columns][];
    for (int a = 0; a < columns; a++) {
      products[a] = new double[a + 1];
    }
    moments = new double[columns];
  }

  int rows() {
    return rows;
  }

  /** O(columns^2). */
  void add(double[] row, double y) {
    for (int a = 0; a < products.length; a++) {
      double factor = row[a];
      double[] target = products[a];
      for (int b = 0; b <= a; b++) {
        target[b] += factor * row[b];
      }
      moments[a] += factor * y;
    }
    squares += y * y;
    rows++;
  }

  /** Coefficients of the given columns; O(count^3). */
  double[] solve(int[] columns) {
    int size = columns.length;
    var matrix = new double[size][size];
    var right = new double[size];
    for (int a = 0; a < size; a++) {
      for (int b = 0; b < size; b++) {
        int row = Math.max(columns[a], columns[b]);
        matrix[a][b] = products[row][Math.min(columns[a], columns[b])];
      }
      matrix[a][a] += RIDGE * rows;
      right[a] = moments[columns[a]];
    }
    return new CholeskyDecomposition(new Array2DRowRealMatrix(matrix, false))
        .getSolver()
        .solve(new ArrayRealVector(right, false))
        .toArray();
  }

  /** Sum of squares that the solution for these columns leaves. */
  double residualSquares(int[] columns, double[] solution) {
    double explained = 0;
    for (int a = 0; a < columns.length; a++) {
      explained += solution[a] * (moments[columns[a]] + RIDGE * rows * solution[a]);
    }
    return Math.max(0, squares - explained);
  }
}
