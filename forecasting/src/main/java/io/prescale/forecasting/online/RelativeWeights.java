package io.prescale.forecasting.online;

import io.prescale.forecasting.RobustScale;
import org.jspecify.annotations.Nullable;

/**
 * Weights of the forecasters of a path by their recent loss: {@code w ∝ prior · r^-power}, where r
 * is the fading mean of a forecaster's loss relative to that of the median forecaster at the same
 * events, so that one who forecast only in quiet times gains nothing by it. {@link PinballWeights}
 * are slower, for the fewer forecasters of a peak.
 */
final class RelativeWeights {
  private static final double LEAST_LOSS = 1e-12;

  /** Forecasters whose loss is over two thirds above the best are left out. */
  private static final double LEAST_MERIT = 0.6;

  /** The share of the memory that must be filled before a record counts as much as no record. */
  private static final double DOUBTED = 1.0 / 14;

  private final double[] prior;
  private final double power;
  private final double[] loss;
  private final double[] usual;
  private final int[] seen;
  private final double memory;

  /**
   * @param prior weight of each forecaster where all have the same loss, above 0
   * @param power above 0: how much more a lower loss counts
   * @param memory the number of losses that the fading mean covers
   */
  RelativeWeights(double[] prior, double power, double memory) {
    this.prior = prior.clone();
    this.power = power;
    this.loss = new double[prior.length];
    this.usual = new double[prior.length];
    this.seen = new int[prior.length];
    this.memory = memory;
  }

  /** Records the loss of each forecaster at one event; NaN for those without a forecast. */
  void add(double... losses) {
    double usualNow = RobustScale.median(losses);
    for (int m = 0; m < losses.length; m++) {
      if (!Double.isNaN(losses[m])) {
        int n = Math.min(++seen[m], (int) memory);
        loss[m] += (losses[m] - loss[m]) / n;
        usual[m] += (usualNow - usual[m]) / n;
      }
    }
  }

  /** The loss relative to the median forecaster's: 1 without a record, and only slowly others. */
  private double relative(int m) {
    double known = Math.min(seen[m], memory);
    double doubt = DOUBTED * memory;
    double ratio = Math.max(loss[m], LEAST_LOSS) / Math.max(usual[m], LEAST_LOSS);
    return (known * ratio + doubt) / (known + doubt);
  }

  /**
   * The weights of the forecasters that have a forecast now, summing to 1.
   *
   * @param members the quantiles of each forecaster, null where it has none
   */
  double[] weights(double[] @Nullable [] members) {
    double[] losses = new double[loss.length];
    for (int m = 0; m < loss.length; m++) {
      losses[m] = members[m] == null ? Double.NaN : relative(m);
    }
    return PinballWeights.shares(prior, losses, power, LEAST_MERIT);
  }
}
