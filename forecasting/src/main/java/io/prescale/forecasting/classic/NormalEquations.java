package io.prescale.forecasting.classic;

import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.CholeskyDecomposition;

/**
 * Least squares over any subset of the columns of one design, in a single pass over its rows.
 *
 * <p>The columns here are sines, cosines and a line, all of about the same size and nearly
 * orthogonal, so the normal equations lose no accuracy that matters. They cost half of a QR
 * decomposition for the first subset and next to nothing for the others. A small ridge keeps them
 * solvable where missing values make columns equal.
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

  /** Adds a row; O(columns^2). */
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

  /** The residual sum of squares of the solution for these columns. */
  double residualSquares(int[] columns, double[] solution) {
    double explained = 0;
    for (int a = 0; a < columns.length; a++) {
      explained += solution[a] * (moments[columns[a]] + RIDGE * rows * solution[a]);
    }
    return Math.max(0, squares - explained);
  }
}
