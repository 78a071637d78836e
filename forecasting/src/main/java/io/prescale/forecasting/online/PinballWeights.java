package io.prescale.forecasting.online;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Weights of forecasters by their own recent loss: {@code w ∝ prior · loss^-4}, where the loss is
 * an exponentially fading mean.
 *
 * <p>A forecaster that is absent has the loss of the combination (sleeping experts; Freund,
 * Schapire, Singer, Warmuth 1997), so that all means are over the same times: a newcomer that has
 * only seen a quiet night has proven nothing about the morning. One that has to prove itself is
 * judged by its own losses alone.
 */
final class PinballWeights implements Learned {
  private static final double POWER = 4;
  private static final double LEAST_LOSS = 1e-12;

  /** Forecasters whose loss is over a quarter above the best are left out. */
  private static final double LEAST_MERIT = 0.8;

  /** How many losses are a record. */
  private static final int RECORD = 10;

  private final double[] prior;
  private final int unprovenFrom;
  private final double[] loss;
  private final int[] seen;
  private final double memory;
  private int rounds;

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

  /**
   * Records what was lost in a round.
   *
   * @param losses of each forecaster; NaN of one that had no forecast
   * @param together the loss of their combination
   */
  void add(double[] losses, double together) {
    rounds++;
    for (int m = 0; m < loss.length; m++) {
      boolean isPresent = !Double.isNaN(losses[m]);
      seen[m] += isPresent ? 1 : 0;
      if (m < unprovenFrom) {
        fade(m, isPresent ? losses[m] : together, rounds);
      } else if (isPresent) {
        fade(m, losses[m], seen[m]);
      }
    }
  }

  private void fade(int forecaster, double newLoss, int count) {
    loss[forecaster] += (newLoss - loss[forecaster]) / Math.min(count, memory);
  }

  /** How many losses of a forecaster were recorded. */
  int seen(int forecaster) {
    return seen[forecaster];
  }

  /**
   * The weights of the forecasters that have a forecast now, summing to 1; 0 of one that has to
   * prove itself and has no record.
   *
   * @param members the quantiles of each forecaster, null where it has none; one that need not
   *     prove itself must have some
   */
  double[] weights(double[] @Nullable [] members) {
    double[] losses = new double[loss.length];
    for (int m = 0; m < loss.length; m++) {
      losses[m] = isHeard(m, members) ? Math.max(loss[m], LEAST_LOSS) : Double.NaN;
    }
    return shares(prior, losses, POWER, LEAST_MERIT);
  }

  /**
   * Shares that sum to 1, {@code ∝ prior · merit^power}, where a merit is the least loss relative
   * to one's own. A power of the loss does not depend on the series' unit, unlike an exponential
   * weight, and behaves like one near the best forecaster (Bates and Granger 1969 use power 1 of
   * the squared error).
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

  /** Forgets the losses of the forecasters from this number on, which have to prove themselves. */
  void forgetFrom(int forecaster) {
    Arrays.fill(loss, forecaster, loss.length, 0);
    Arrays.fill(seen, forecaster, seen.length, 0);
  }

  private boolean isHeard(int m, double[] @Nullable [] members) {
    return members[m] != null && (m < unprovenFrom || seen[m] >= RECORD);
  }

  @Override
  public double[] state() {
    double[] state = new double[2 * loss.length + 1];
    for (int m = 0; m < loss.length; m++) {
      state[2 * m] = loss[m];
      state[2 * m + 1] = seen[m];
    }
    state[2 * loss.length] = rounds;
    return state;
  }

  @Override
  public void restore(double[] state) {
    int expected = 2 * loss.length + 1;
    if (state.length != expected) {
      throw new IllegalArgumentException(expected + " numbers expected, got " + state.length);
    }
    rounds = count(state[2 * loss.length]);
    for (int m = 0; m < loss.length; m++) {
      double value = state[2 * m];
      if (!(value >= 0 && Double.isFinite(value))) {
        throw new IllegalArgumentException("no loss record: " + value);
      }
      loss[m] = value;
      seen[m] = count(state[2 * m + 1]);
    }
  }

  private static int count(double number) {
    if (!(number >= 0 && number < Integer.MAX_VALUE)) {
      throw new IllegalArgumentException("no loss record: " + number + " losses");
    }
    return (int) number;
  }
}
