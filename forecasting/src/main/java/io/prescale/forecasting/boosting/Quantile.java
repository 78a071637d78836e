package io.prescale.forecasting.boosting;

/** Selection of an order statistic in expected linear time (Hoare's quickselect). */
final class Quantile {
  private Quantile() {}

  /**
   * The empirical quantile of {@code values[from, to)}: the smallest value with at least a share
   * {@code level} of the values at or below it. Reorders the range.
   */
  static double select(double[] values, int from, int to, double level) {
    int n = to - from;
    int k = from + Math.min(n - 1, Math.max(0, (int) Math.ceil(level * n) - 1));
    int low = from;
    int high = to - 1;
    while (low < high) {
      double pivot = median(values[low], values[(low + high) >>> 1], values[high]);
      int i = low;
      int j = high;
      while (i <= j) {
        while (values[i] < pivot) {
          i++;
        }
        while (values[j] > pivot) {
          j--;
        }
        if (i <= j) {
          double swap = values[i];
          values[i++] = values[j];
          values[j--] = swap;
        }
      }
      if (k <= j) {
        high = j;
      } else if (k >= i) {
        low = i;
      } else {
        break;
      }
    }
    return values[k];
  }

  private static double median(double a, double b, double c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }
}
