package io.prescale.forecasting.online;

import io.prescale.forecasting.boosting.BinnedColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Rows of features and their targets, collected one by one and then turned into columns. */
final class TrainingRows {
  /**
   * One of several moments at random, one in each equal part of the candidates: as spread out as a
   * grid, without its period.
   *
   * @param i the number of the moment, from 0
   * @param count of moments
   * @param from the first candidate
   */
  static int moment(int i, int count, int from, int candidates, SplittableRandom random) {
    return from + (int) ((i + random.nextDouble()) * candidates / count);
  }

  private final List<double[]> rows = new ArrayList<>();
  private final List<double[]> targets = new ArrayList<>();

  /** Adds a row with one target for each model that is to be fitted on it. */
  void add(double[] features, double... target) {
    rows.add(features);
    targets.add(target);
  }

  int size() {
    return rows.size();
  }

  BinnedColumns columns() {
    double[][] columns = new double[rows.getFirst().length][rows.size()];
    for (int i = 0; i < rows.size(); i++) {
      double[] row = rows.get(i);
      for (int f = 0; f < row.length; f++) {
        columns[f][i] = row[f];
      }
    }
    return BinnedColumns.of(columns);
  }

  double[] target(int model) {
    return targets.stream().mapToDouble(t -> t[model]).toArray();
  }
}
