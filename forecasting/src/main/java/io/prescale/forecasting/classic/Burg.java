package io.prescale.forecasting.classic;

import java.util.Arrays;

/**
 * Burg's recursion: raises the order of an autoregression one by one, each time by the reflection
 * coefficient with the least squared error forwards and backwards, over all stretches without a
 * missing value. Mutable.
 */
final class Burg {
  /** With fewer pairs, chance yields nearly perfect predictors of long series with many gaps. */
  private static final int PAIRS_PER_ORDER = 10;

  private final double[] forward;
  private final double[] backward;

  /** How many values in a row are present up to and including this one. */
  private final int[] run;

  private final int present;
  private double[] coefficients = {};
  private double variance;

  /** values: NaN where missing. */
  Burg(double[] values) {
    forward = values.clone();
    backward = values.clone();
    run = new int[values.length];
    double squares = 0;
    int count = 0;
    for (int i = 0; i < values.length; i++) {
      if (!Double.isNaN(values[i])) {
        run[i] = i == 0 ? 1 : run[i - 1] + 1;
        squares += values[i] * values[i];
        count++;
      }
    }
    present = count;
    variance = count > 0 ? squares / count : 0;
  }

  int present() {
    return present;
  }

  /** The variance that the current order does not explain. */
  double variance() {
    return variance;
  }

  double[] coefficients() {
    return coefficients.clone();
  }

  /**
   * Raises the order by one; false if too few stretches are long enough or no error is left; O(n).
   */
  boolean raiseOrder() {
    int order = coefficients.length + 1;
    double products = 0;
    double squares = 0;
    int pairs = 0;
    for (int i = order; i < forward.length; i++) {
      if (run[i] > order) {
        pairs++;
        products += forward[i] * backward[i - 1];
        squares += forward[i] * forward[i] + backward[i - 1] * backward[i - 1];
      }
    }
    if (!(squares > 0) || pairs < PAIRS_PER_ORDER * order) {
      return false;
    }
    double reflection = 2 * products / squares;
    for (int i = forward.length - 1; i >= order; i--) {
      if (run[i] > order) {
        double f = forward[i];
        forward[i] = f - reflection * backward[i - 1];
        backward[i] = backward[i - 1] - reflection * f;
      }
    }
    coefficients = raised(coefficients, reflection);
    variance *= 1 - reflection * reflection;
    return true;
  }

  /** Levinson's recursion. */
  private static double[] raised(double[] coefficients, double reflection) {
    int order = coefficients.length + 1;
    var raised = Arrays.copyOf(coefficients, order);
    for (int k = 0; k < order - 1; k++) {
      raised[k] = coefficients[k] - reflection * coefficients[order - 2 - k];
    }
    raised[order - 1] = reflection;
    return raised;
  }
}
