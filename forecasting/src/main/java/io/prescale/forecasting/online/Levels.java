package io.prescale.forecasting.online;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Arithmetic of quantiles: their levels, interpolation between them and the loss at them. */
final class Levels {
  private Levels() {}

  /** Adds {@code by} to each value, in place. */
  static double[] shifted(double[] values, double by) {
    for (int i = 0; i < values.length; i++) {
      values[i] += by;
    }
    return values;
  }

  /** Pinball loss of one forecast quantile (Koenker and Bassett 1978). */
  static double pinball(double level, double truth, double forecast) {
    double error = truth - forecast;
    return Math.max(level * error, (level - 1) * error);
  }

  /** The sum of the pinball losses of forecast quantiles, one per level. */
  static double pinball(double[] levels, double truth, double[] quantiles) {
    double loss = 0;
    for (int q = 0; q < levels.length; q++) {
      loss += pinball(levels[q], truth, quantiles[q]);
    }
    return loss;
  }

  /** The {@link #pinball} loss of each forecaster; NaN for one that is null. */
  static double[] pinballs(double[] levels, double truth, double[] @Nullable [] forecasters) {
    double[] losses = new double[forecasters.length];
    for (int m = 0; m < losses.length; m++) {
      double[] quantiles = forecasters[m];
      losses[m] = quantiles == null ? Double.NaN : pinball(levels, truth, quantiles);
    }
    return losses;
  }

  /** The value at {@code level}, linear between neighbours, constant outside. */
  static double interpolate(double[] levels, double[] values, double level) {
    int at = Arrays.binarySearch(levels, level);
    if (at >= 0) {
      return values[at];
    }
    int above = -at - 1;
    if (above == 0) {
      return values[0];
    }
    if (above == levels.length) {
      return values[levels.length - 1];
    }
    double share = (level - levels[above - 1]) / (levels[above] - levels[above - 1]);
    return values[above - 1] + share * (values[above] - values[above - 1]);
  }
}
