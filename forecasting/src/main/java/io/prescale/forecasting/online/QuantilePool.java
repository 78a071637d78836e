package io.prescale.forecasting.online;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
  /** This many halvings bring the error to a millionth of a millionth of the members' range. */
  private static final int HALVINGS = 40;

  private final double[] levels;
  private final int top;

  /** A forecast that is heard, with ascending quantiles. */
  private static final class Member {
    final double share;
    final double[] quantiles;

    Member(double share, double[] quantiles) {
      this.share = share;
      this.quantiles = quantiles;
    }
  }

  /**
   * @param levels of the quantiles, ascending from 0.5, at least two
   */
  QuantilePool(double[] levels) {
    this.levels = levels.clone();
    this.top = levels.length - 1;
  }

  /**
   * The quantiles together, at the same levels.
   *
   * @param members the quantiles of each; null where it has none
   * @param weights of the members, which sum to 1; 0 for those without quantiles
   */
  double[] together(double[] @Nullable [] members, double[] weights) {
    double[] mean = mean(members, weights, levels.length);
    var heard = heard(members, weights);
    double gap = highest(heard, 0) - lowest(heard, top);
    if (gap <= 0) {
      return mean;
    }
    double width = mean[top] - mean[0];
    double apart = gap < width ? gap / width : 1;
    double[] mixture = mixture(heard);
    for (int q = 0; q < mean.length; q++) {
      mean[q] += apart * (mixture[q] - mean[q]);
    }
    return mean;
  }

  /** A forecast of a point whose errors lean to one side may have its median above the others. */
  private static List<Member> heard(double[] @Nullable [] members, double[] weights) {
    var heard = new ArrayList<Member>();
    for (int m = 0; m < members.length; m++) {
      double[] member = members[m];
      if (member != null && weights[m] > 0) {
        double[] ascending = member.clone();
        Arrays.parallelPrefix(ascending, Math::max);
        heard.add(new Member(weights[m], ascending));
      }
    }
    return heard;
  }

  private static double lowest(List<Member> members, int q) {
    return members.stream().mapToDouble(it -> it.quantiles[q]).min().orElse(Double.NaN);
  }

  private static double highest(List<Member> members, int q) {
    return members.stream().mapToDouble(it -> it.quantiles[q]).max().orElse(Double.NaN);
  }

  /**
   * The mean of the members' quantiles, of which at least one must be present.
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
  private double[] mixture(List<Member> members) {
    double[] quantiles = new double[levels.length];
    for (int q = 0; q < levels.length; q++) {
      double low = lowest(members, 0);
      double high = highest(members, top);
      for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        if (shareBelow(middle, members) < levels[q]) {
          low = middle;
        } else {
          high = middle;
        }
      }
      quantiles[q] = high;
    }
    return quantiles;
  }

  private double shareBelow(double value, List<Member> members) {
    double share = 0;
    for (var member : members) {
      double median = member.quantiles[0];
      double within = within(Math.abs(value - median), member.quantiles);
      share += member.share * (value < median ? 1 - within : within);
    }
    return share;
  }

  /**
   * The share below the median plus a distance: linear between quantiles, and beyond the last as
   * before it. Below the median, a distribution is taken for the mirror image.
   */
  private double within(double distance, double[] member) {
    for (int q = 1; q <= top; q++) {
      if (distance < member[q] - member[0]) {
        return share(distance, member, q);
      }
    }
    return member[top] > member[top - 1] ? Math.min(1, share(distance, member, top)) : 1;
  }

  private double share(double distance, double[] member, int q) {
    double beyond = distance - (member[q - 1] - member[0]);
    double width = member[q] - member[q - 1];
    return levels[q - 1] + (levels[q] - levels[q - 1]) * beyond / width;
  }
}
