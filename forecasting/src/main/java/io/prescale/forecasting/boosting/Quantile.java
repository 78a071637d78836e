package io.prescale.forecasting.boosting;

import java.util.Arrays;

/**
 * Selection of an order statistic in expected linear time. Two values of a sample enclose it almost
 * surely (Floyd and Rivest, "Expected time bounds for selection", CACM 1975); what lies between
 * them is found without branches on the values, of which a processor mispredicts half, and searched
 * with Hoare's quickselect.
 */
final class Quantile {
  private static final int SAMPLE = 64;

  /** Sampled values between the wanted rank and each bound. */
  private static final int MARGIN = 7;

  /** With fewer values, a sample costs more than it saves. */
  private static final int MANY = 4 * SAMPLE;

  private Quantile() {}

  /**
   * The empirical quantile of {@code values[from, to)}: the smallest value with at least a share
   * {@code level} of the values at or below it. Overwrites the range.
   */
  static double select(double[] values, int from, int to, double level) {
    int n = to - from;
    int k = from + Math.min(n - 1, Math.max(0, (int) Math.ceil(level * n) - 1));
    return to - from < MANY ? quickselect(values, from, to, k) : enclose(values, from, to, k);
  }

  private static double enclose(double[] values, int from, int to, int k) {
    var sample = new double[SAMPLE];
    int n = to - from;
    for (int i = 0; i < SAMPLE; i++) {
      sample[i] = values[from + (int) ((long) i * n / SAMPLE)];
    }
    Arrays.sort(sample);
    int rank = (int) ((long) (k - from) * SAMPLE / n);
    double low = rank < MARGIN ? Double.NEGATIVE_INFINITY : sample[rank - MARGIN];
    double high = rank + MARGIN >= SAMPLE ? Double.POSITIVE_INFINITY : sample[rank + MARGIN];
    int below = 0;
    int above = 0;
    for (int i = from; i < to; i++) {
      below += values[i] < low ? 1 : 0;
      above += values[i] > high ? 1 : 0;
    }
    if (k < from + below || k >= to - above) {
      return quickselect(values, from, to, k);
    }
    int end = from;
    for (int i = from; i < to; i++) {
      double value = values[i];
      values[end] = value;
      end += (value >= low ? 1 : 0) & (value <= high ? 1 : 0);
    }
    return quickselect(values, from, end, k - below);
  }

  private static double quickselect(double[] values, int from, int to, int k) {
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
