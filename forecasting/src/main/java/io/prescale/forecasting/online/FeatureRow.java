package io.prescale.forecasting.online;

import java.util.Arrays;

/** A row of features that is filled from the left. */
final class FeatureRow {
  private final double[] cells;
  private int filled;

  FeatureRow(int room) {
    this.cells = new double[room];
  }

  void add(double value) {
    cells[filled++] = value;
  }

  double[] values() {
    return Arrays.copyOf(cells, filled);
  }
}
