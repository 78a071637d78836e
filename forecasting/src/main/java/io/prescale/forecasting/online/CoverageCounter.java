package io.prescale.forecasting.online;

import java.util.Arrays;
import java.util.OptionalDouble;

/** The exponentially fading share of observations at or below each forecast quantile. */
final class CoverageCounter implements Learned {
  private final double[] levels;
  private final double[] share;
  private final double memory;
  private int seen;

  CoverageCounter(double[] levels, double memory) {
    this.levels = levels;
    this.share = new double[levels.length];
    this.memory = memory;
  }

  void add(double truth, double[] values) {
    double n = Math.min(++seen, memory);
    for (int q = 0; q < levels.length; q++) {
      share[q] += ((truth <= values[q] ? 1 : 0) - share[q]) / n;
    }
  }

  @Override
  public double[] state() {
    double[] state = new double[1 + share.length];
    state[0] = seen;
    System.arraycopy(share, 0, state, 1, share.length);
    return state;
  }

  @Override
  public void restore(double[] state) {
    boolean legal = state.length == 1 + share.length;
    for (int i = 0; legal && i < state.length; i++) {
      legal = state[i] >= 0 && state[i] <= (i == 0 ? Integer.MAX_VALUE : 1);
    }
    if (!legal) {
      throw new IllegalArgumentException("no coverage record: " + Arrays.toString(state));
    }
    seen = (int) state[0];
    System.arraycopy(state, 1, share, 0, share.length);
  }

  /**
   * The share at a level; empty before the first observation and for levels that are not forecast.
   */
  OptionalDouble share(double level) {
    int at = Arrays.binarySearch(levels, level);
    return seen == 0 || at < 0 ? OptionalDouble.empty() : OptionalDouble.of(share[at]);
  }
}
