package io.prescale.forecasting.online;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Quantiles of several forecasts together. Of forecasts that overlap, they are the mean of the
 * members' quantiles, which is sharper than their mixture (Vincent averaging; Lichtendahl,
 * Grushka-Cockayne, Winkler 2013). Where one member's median lies above another's highest quantile,
 * as when one foresees a rise and another does not, the mean would lie where neither expects
 * demand. So the further they are apart, the more they are the quantiles of the mixture (linear
 * pool; Stone 1961), wholly from a gap on that is as wide as the mean's upper half.
 */
final class QuantilePool {
  /** So many halvings bring the error to a millionth of a millionth of the members' range. */
  private static final int HALVINGS = 40;

  private final double[] levels;

  /**
   * @param levels of the quantiles, ascending from 0.5, at least two
   */
  QuantilePool(double[] levels) {
    this.levels = levels.clone();
  }

  /**
   * The quantiles together, at the same levels.
   *
   * @param members the quantiles of each; null where it has none
   * @param weights of the members, which sum to 1; 0 for those without quantiles
   */
  double[] together(double[] @Nullable [] members, double[] weights) {
    double[] mean = mean(members, weights, levels.length);
    double gap = gap(members, weights);
    if (gap <= 0) {
      return mean;
    }
    double width = top(mean) - mean[0];
    double apart = gap < width ? gap / width : 1;
    double[] mixture = mixture(ascending(members), weights);
    for (int q = 0; q < mean.length; q++) {
      mean[q] += apart * (mixture[q] - mean[q]);
    }
    return mean;
  }

  /** From the lowest of the highest quantiles up to the highest median; not above 0 if none. */
  private double gap(double[] @Nullable [] members, double[] weights) {
    double lowestTop = Double.POSITIVE_INFINITY;
    double highestMedian = Double.NEGATIVE_INFINITY;
    for (int m = 0; m < members.length; m++) {
      double[] member = members[m];
      if (member != null && weights[m] > 0) {
        lowestTop = Math.min(lowestTop, top(member));
        highestMedian = Math.max(highestMedian, member[0]);
      }
    }
    return highestMedian - lowestTop;
  }

  /** A forecast of a point whose errors lean to one side may have its median above the others. */
  private static double[] @Nullable [] ascending(double[] @Nullable [] members) {
    double[] @Nullable [] ascending = new double[members.length][];
    for (int m = 0; m < members.length; m++) {
      double[] member = members[m];
      if (member != null) {
        double[] copy = member.clone();
        Arrays.parallelPrefix(copy, Math::max);
        ascending[m] = copy;
      }
    }
    return ascending;
  }

  private double top(double[] member) {
    return Math.max(member[0], member[levels.length - 1]);
  }

  /**
   * The mean of the members' quantiles (Vincent averaging; Lichtendahl, Grushka-Cockayne, Winkler
   * 2013), of which at least one must be present.
   *
   * @param weights of the members, see {@link PinballWeights#weights}
   */
  static double[] mean(double[] @Nullable [] members, double[] weights, int levels) {
    double[] mean = new double[levels];
    for (int m = 0; m < members.length; m++) {
      double[] member = members[m];
      for (int q = 0; member != null && q < levels; q++) {
        mean[q] += weights[m] * member[q];
      }
    }
    return mean;
  }

  /** By bisection between the lowest median and the highest quantile, where all of them lie. */
  private double[] mixture(double[] @Nullable [] members, double[] weights) {
    double lowest = Double.POSITIVE_INFINITY;
    double highest = Double.NEGATIVE_INFINITY;
    for (int m = 0; m < members.length; m++) {
      double[] member = members[m];
      if (member != null && weights[m] > 0) {
        lowest = Math.min(lowest, member[0]);
        highest = Math.max(highest, top(member));
      }
    }
    double[] quantiles = new double[levels.length];
    for (int q = 0; q < levels.length; q++) {
      double low = lowest;
      double high = highest;
      for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        if (shareBelow(middle, members, weights) < levels[q]) {
          low = middle;
        } else {
          high = middle;
        }
      }
      quantiles[q] = high;
    }
    return quantiles;
  }

  private double shareBelow(double value, double[] @Nullable [] members, double[] weights) {
    double share = 0;
    for (int m = 0; m < members.length; m++) {
      double[] member = members[m];
      if (member != null && weights[m] > 0) {
        double within = within(Math.abs(value - member[0]), member);
        share += weights[m] * (value < member[0] ? 1 - within : within);
      }
    }
    return share;
  }

  /**
   * The share below the median plus a distance: linear between quantiles, and beyond the last as
   * before it. Below the median, a distribution is taken for the mirror image.
   */
  private double within(double distance, double[] member) {
    int last = levels.length - 1;
    for (int q = 1; q <= last; q++) {
      if (distance < member[q] - member[0]) {
        return share(distance, member, q);
      }
    }
    return member[last] > member[last - 1] ? Math.min(1, share(distance, member, last)) : 1;
  }

  private double share(double distance, double[] member, int q) {
    double beyond = distance - (member[q - 1] - member[0]);
    double width = member[q] - member[q - 1];
    return levels[q - 1] + (levels[q] - levels[q - 1]) * beyond / width;
  }
}
