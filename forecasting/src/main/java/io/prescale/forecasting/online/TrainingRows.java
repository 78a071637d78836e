package io.prescale.forecasting.online;

import io.prescale.forecasting.boosting.BinnedColumns;
import java.util.ArrayList;
import java.util.List;

/** Rows of features and their targets, collected one by one and then turned into columns. */
final class TrainingRows {
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
