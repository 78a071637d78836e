package io.prescale.forecasting.online;

import java.util.Arrays;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * The distribution of recent scaled forecast errors, from which quantiles are read: the residual
 * quantiles of split conformal prediction (Lei et al., JASA 2018) with exponentially fading
 * weights, so that it forgets (Barber et al., "Conformal prediction beyond exchangeability", Annals
 * of Statistics 2023, §3).
 *
 * <p>A histogram over {@code sign(z) · log(1 + 4|z|)}: resolution 1 % of z or finer near 0, range
 * ±{@value #LARGEST}. add and quantiles are O(bins), without allocation. A forecaster has eleven,
 * so weights are in single precision.
 */
final class ErrorDistribution implements Learned {
  private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);
  private static final double[] PRIOR = new double[400];
  private static final int BINS = 1024;
  private static final double LARGEST = 100;
  private static final double EDGE = Math.log1p(4 * LARGEST);
  private static final double RESCALE_AT = 1e30;

  /** Two bins are saved as one. */
  private static final int SAVED_BINS = BINS / 2;

  /** What lies below a bin is saved to the total by two to this power, a share of about 0.0001. */
  private static final int SAVED_BITS = 13;

  static {
    Arrays.setAll(PRIOR, i -> normalQuantile((i + 0.5) / PRIOR.length));
  }

  private final double growth;
  private final float[] weight;
  private double total;
  private double next = 1;

  /**
   * @param halfLife number of errors after which an error's weight has halved
   * @param priorWeight how many errors the prior counts for
   * @param priorScale standard deviation of the prior, which is normal
   */
  ErrorDistribution(double halfLife, double priorWeight, double priorScale) {
    this.growth = Math.pow(2, 1 / halfLife);
    this.weight = new float[BINS];
    for (double z : PRIOR) {
      put(priorScale * z, priorWeight / PRIOR.length);
    }
  }

  void add(double z) {
    if (Double.isNaN(z)) {
      return;
    }
    next *= growth;
    put(z, next);
    if (next > RESCALE_AT) {
      scale(1 / next);
      next = 1;
    }
  }

  private void scale(double factor) {
    total = 0;
    for (int b = 0; b < BINS; b++) {
      weight[b] = (float) (weight[b] * factor);
      total += weight[b];
    }
  }

  private void put(double z, double amount) {
    int bin = bin(z);
    float before = weight[bin];
    weight[bin] = (float) (before + amount);
    total += weight[bin] - (double) before; // what was added after rounding
  }

  /**
   * The z that is not exceeded by a share {@code levels[j]} of the errors, for ascending levels.
   */
  void quantiles(double[] levels, double[] into) {
    double below = 0;
    int j = 0;
    for (int b = 0; b < BINS && j < levels.length; b++) {
      double upTo = below + weight[b];
      while (j < levels.length && upTo >= levels[j] * total) {
        double within = weight[b] > 0 ? (levels[j] * total - below) / weight[b] : 0.5;
        into[j++] = value(b + Math.clamp(within, 0, 1));
      }
      below = upTo;
    }
    while (j < levels.length) {
      into[j++] = LARGEST;
    }
  }

  @Override
  public double[] state() {
    double[] state = new double[SAVED_BINS];
    double unit = Math.scalb(1.0, Math.getExponent(total / next) - SAVED_BITS);
    double below = 0;
    double saved = 0;
    for (int b = 0; b < SAVED_BINS; b++) {
      below += ((double) weight[2 * b] + weight[2 * b + 1]) / next;
      double upTo = Math.rint(below / unit) * unit;
      state[b] = upTo - saved;
      saved = upTo;
    }
    return state;
  }

  @Override
  public void restore(double[] state) {
    if (state.length != SAVED_BINS) {
      throw new IllegalArgumentException(SAVED_BINS + " bins expected, got " + state.length);
    }
    double sum = 0;
    for (double w : state) {
      if (!(w >= 0 && w < RESCALE_AT)) {
        throw new IllegalArgumentException("a weight must be finite and not negative: " + w);
      }
      sum += (float) w;
    }
    if (!(sum > 0)) {
      throw new IllegalArgumentException("no weight in any bin");
    }
    for (int b = 0; b < BINS; b++) {
      weight[b] = (float) state[b / 2] / 2;
    }
    total = sum;
    next = 1;
  }

  private static int bin(double z) {
    double folded = Math.copySign(Math.log1p(4 * Math.abs(z)), z);
    return (int) Math.clamp((folded + EDGE) / (2 * EDGE) * BINS, 0, BINS - 1);
  }

  private static double value(double bin) {
    double folded = -EDGE + bin * 2 * EDGE / BINS;
    return Math.copySign(Math.expm1(Math.abs(folded)) / 4, folded);
  }

  static double normalQuantile(double level) {
    return NORMAL.inverseCumulativeProbability(level);
  }
}
