package io.prescale.forecasting.relatives;

import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.util.Arrays;

/** How demand is spread over the quarters of an hour of a week, and how rough it is. Immutable. */
final class DemandShape {
  private static final long QUARTER = Duration.ofMinutes(15).toMillis();
  private static final int QUARTERS = 7 * 24 * 4;

  /** The mean demand of each quarter, in any unit; NaN where none is known. */
  private final double[] means;

  /** The mean distance from one step to the next, as a share of the mean; NaN without a pair. */
  private final double roughness;

  private DemandShape(double[] means, double roughness) {
    this.means = means;
    this.roughness = roughness;
  }

  /** The shape of what is known. O(steps). */
  static DemandShape of(TimeSeries demand) {
    double[] sums = new double[QUARTERS];
    int[] counts = new int[QUARTERS];
    double sum = 0;
    int known = 0;
    double moved = 0;
    int pairs = 0;
    for (int i = 0; i < demand.size(); i++) {
      if (!demand.isMissing(i)) {
        double value = demand.value(i);
        int quarter =
            Math.floorMod(Math.floorDiv(demand.time(i).toEpochMilli(), QUARTER), QUARTERS);
        sums[quarter] += value;
        counts[quarter]++;
        sum += value;
        known++;
        if (i > 0 && !demand.isMissing(i - 1)) {
          moved += Math.abs(value - demand.value(i - 1));
          pairs++;
        }
      }
    }
    Arrays.setAll(sums, q -> counts[q] == 0 ? Double.NaN : sums[q] / counts[q]);
    return new DemandShape(
        sums, pairs == 0 || !(sum > 0) ? Double.NaN : moved / pairs / (sum / known));
  }

  /**
   * The share of demand that lies in other quarters than the other's, of those that both know, plus
   * the difference in roughness; infinite where nothing can be compared. O(quarters).
   */
  double distance(DemandShape other) {
    double own = 0;
    double others = 0;
    for (int q = 0; q < QUARTERS; q++) {
      if (!Double.isNaN(means[q] + other.means[q])) {
        own += means[q];
        others += other.means[q];
      }
    }
    if (!(own > 0 && others > 0)) {
      return Double.POSITIVE_INFINITY;
    }
    double apart = 0;
    for (int q = 0; q < QUARTERS; q++) {
      double between = means[q] / own - other.means[q] / others;
      apart += Double.isNaN(between) ? 0 : Math.abs(between);
    }
    double rougher = Math.abs(roughness - other.roughness);
    return apart + (Double.isNaN(rougher) ? 0 : rougher);
  }
}
