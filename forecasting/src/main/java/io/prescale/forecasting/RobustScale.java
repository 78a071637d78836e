package io.prescale.forecasting;

import java.util.Arrays;

/** Robust measures of location and scale. NaN values are ignored. */
public final class RobustScale {
  /** Median absolute deviation of a normal distribution with standard deviation 1. */
  public static final double NORMAL_MAD = 0.6745;

  private RobustScale() {}

  /** Median absolute deviation from zero, as a standard deviation; 0 without values. O(n log n). */
  public static double of(double[] deviations) {
    double median = median(Arrays.stream(deviations).map(Math::abs).toArray());
    return Double.isNaN(median) ? 0 : median / NORMAL_MAD;
  }

  /** The median of the values present; NaN if there are none. O(n log n). */
  public static double median(double[] values) {
    return median(values, 0, values.length);
  }

  /** The same in the range {@code [from, to)}. */
  public static double median(double[] values, int from, int to) {
    var sorted = Arrays.copyOfRange(values, from, to);
    Arrays.sort(sorted); // NaN last
    int present = sorted.length;
    while (present > 0 && Double.isNaN(sorted[present - 1])) {
      present--;
    }
    int middle = present / 2;
    return present % 2 == 1
        ? sorted[middle]
        : present == 0 ? Double.NaN : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
