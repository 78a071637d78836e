package io.prescale.forecasting.online;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Weights of forecasters by their own recent loss: {@code w ∝ prior · loss^-4}, where the loss is
 * an exponentially fading mean. A power of the loss does not depend on the series' unit, unlike an
 * exponential weight, and behaves like one near the best forecaster (Bates and Granger 1969 use
 * power 1 of the squared error).
 */
final class PinballWeights implements Learned {
  private static final double POWER = 4;
  private static final double LEAST_LOSS = 1e-12;

  /** Forecasters whose loss is over a quarter above the best are left out. */
  private static final double LEAST_MERIT = 0.8;

  /** So many losses are a record. */
  private static final int RECORD = 10;

  private final double[] prior;
  private final int unprovenFrom;
  private final double[] loss;
  private final int[] seen;
  private final double memory;

  /**
   * @param prior weight of each forecaster where all have the same loss, above 0
   * @param unprovenFrom forecasters from this number on have no weight before they have a record
   * @param memory the number of losses that the fading mean covers
   */
  PinballWeights(double[] prior, int unprovenFrom, double memory) {
    this.unprovenFrom = unprovenFrom;
    this.prior = prior.clone();
    this.loss = new double[prior.length];
    this.seen = new int[prior.length];
    this.memory = memory;
  }

  /** Records the loss of a forecaster; NaN when it had no forecast. */
  void add(int forecaster, double newLoss) {
    if (Double.isNaN(newLoss)) {
      return;
    }
    int n = Math.min(++seen[forecaster], (int) memory);
    loss[forecaster] += (newLoss - loss[forecaster]) / n;
  }

  /** How many losses of a forecaster were recorded. */
  int seen(int forecaster) {
    return seen[forecaster];
  }

  /**
   * The weights of the forecasters that have a forecast now, summing to 1. One without a recorded
   * loss gets the weight of the best, unless it has to prove itself.
   *
   * @param members the quantiles of each forecaster, null where it has none; one that need not
   *     prove itself must have some
   */
  double[] weights(double[] @Nullable [] members) {
    double best = Double.POSITIVE_INFINITY;
    for (int m = 0; m < loss.length; m++) {
      if (isHeard(m, members) && seen[m] > 0) {
        best = Math.min(best, Math.max(loss[m], LEAST_LOSS));
      }
    }
    double newcomer = Double.isInfinite(best) ? 1 : best;
    double[] losses = new double[loss.length];
    for (int m = 0; m < loss.length; m++) {
      double known = seen[m] == 0 ? newcomer : Math.max(loss[m], LEAST_LOSS);
      losses[m] = isHeard(m, members) ? known : Double.NaN;
    }
    return shares(prior, losses, POWER, LEAST_MERIT);
  }

  /**
   * Shares that sum to 1, {@code ∝ prior · merit^power}, where a merit is the least loss relative
   * to one's own.
   *
   * @param losses above 0; NaN for a forecaster that is to have no share
   * @param leastMerit forecasters of less merit have no share: many poor ones add up
   */
  static double[] shares(double[] prior, double[] losses, double power, double leastMerit) {
    double best = Double.POSITIVE_INFINITY;
    for (double loss : losses) {
      best = loss < best ? loss : best;
    }
    double[] shares = new double[losses.length];
    double sum = 0;
    for (int m = 0; m < losses.length; m++) {
      double merit = best / losses[m];
      if (merit >= leastMerit) {
        shares[m] = prior[m] * Math.pow(merit, power);
        sum += shares[m];
      }
    }
    for (int m = 0; m < shares.length && sum > 0; m++) {
      shares[m] /= sum;
    }
    return shares;
  }

  /** Forgets the losses of the forecasters from this number on. */
  void forgetFrom(int forecaster) {
    Arrays.fill(loss, forecaster, loss.length, 0);
    Arrays.fill(seen, forecaster, seen.length, 0);
  }

  private boolean isHeard(int m, double[] @Nullable [] members) {
    return members[m] != null && (m < unprovenFrom || seen[m] >= RECORD);
  }

  /**
   * The mean of the members' quantiles (Vincent averaging; Lichtendahl, Grushka-Cockayne, Winkler
   * 2013), of which at least one must be present.
   *
   * @param weights of the members, see {@link #weights}
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

  @Override
  public double[] state() {
    double[] state = new double[2 * loss.length];
    for (int m = 0; m < loss.length; m++) {
      state[2 * m] = loss[m];
      state[2 * m + 1] = seen[m];
    }
    return state;
  }

  @Override
  public void restore(double[] state) {
    if (state.length != 2 * loss.length) {
      throw new IllegalArgumentException(
          2 * loss.length + " numbers expected, got " + state.length);
    }
    for (int m = 0; m < loss.length; m++) {
      double value = state[2 * m];
      double count = state[2 * m + 1];
      if (!(value >= 0 && Double.isFinite(value)) || !(count >= 0 && count < Integer.MAX_VALUE)) {
        throw new IllegalArgumentException("no loss record: " + value + ", " + count);
      }
      loss[m] = value;
      seen[m] = (int) count;
    }
  }
}
