package io.prescale.forecasting.seasonality;

import io.prescale.forecasting.RobustScale;
import io.prescale.forecasting.TimeSeries;
import java.util.Arrays;

/**
 * A series prepared for spectral analysis: gaps bridged by straight lines, the linear trend
 * removed, outliers clipped, the largest value about 1.
 */
final class Signal {
  /** Clipping at this many robust standard deviations leaves bursts visible, but not dominant. */
  private static final double CLIP = 6;

  private Signal() {}

  /** One value per step from the first to the last one present; empty if fewer than two are. */
  static double[] of(TimeSeries series) {
    var values = series.toArray();
    int first = 0;
    int last = values.length - 1;
    while (first <= last && Double.isNaN(values[first])) {
      first++;
    }
    while (last >= first && Double.isNaN(values[last])) {
      last--;
    }
    if (last - first < 1) {
      return new double[0];
    }
    var signal = Arrays.copyOfRange(values, first, last + 1);
    scale(signal);
    bridgeGaps(signal);
    // Clips before, because outliers tilt the trend, and after, because a trend hides them.
    clip(signal);
    detrend(signal);
    clip(signal);
    return signal;
  }

  /** Without this, squares of extreme values would not fit a double. */
  private static void scale(double[] x) {
    double largest = Arrays.stream(x).filter(Double::isFinite).map(Math::abs).max().orElse(0);
    if (largest > 0) {
      for (int i = 0; i < x.length; i++) {
        x[i] /= largest;
      }
    }
  }

  private static void bridgeGaps(double[] x) {
    int before = 0;
    for (int i = 1; i < x.length; i++) {
      if (!Double.isNaN(x[i])) {
        for (int gap = before + 1; gap < i; gap++) {
          x[gap] = x[before] + (x[i] - x[before]) * (gap - before) / (i - before);
        }
        before = i;
      }
    }
  }

  /** Subtracts the least-squares line; O(n). */
  private static void detrend(double[] x) {
    double centre = (x.length - 1) / 2.0;
    double mean = 0;
    double slope = 0;
    double spread = 0;
    for (int i = 0; i < x.length; i++) {
      mean += x[i] / x.length;
      slope += (i - centre) * x[i];
      spread += (i - centre) * (i - centre);
    }
    slope = spread > 0 ? slope / spread : 0;
    for (int i = 0; i < x.length; i++) {
      x[i] -= mean + slope * (i - centre);
    }
  }

  private static void clip(double[] x) {
    double median = RobustScale.median(x);
    var deviations = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      deviations[i] = Math.abs(x[i] - median);
    }
    double limit = CLIP * RobustScale.median(deviations) / RobustScale.NORMAL_MAD;
    if (limit > 0) { // otherwise most values are equal, and the others are the signal
      for (int i = 0; i < x.length; i++) {
        x[i] = Math.clamp(x[i], median - limit, median + limit);
      }
    }
  }

  /** Means of blocks of {@code factor} values; an incomplete block at the beginning is left out. */
  static double[] blockMeans(double[] x, int factor) {
    var means = new double[x.length / factor];
    int offset = x.length - means.length * factor;
    for (int block = 0; block < means.length; block++) {
      double sum = 0;
      for (int i = 0; i < factor; i++) {
        sum += x[offset + block * factor + i];
      }
      means[block] = sum / factor;
    }
    return means;
  }
}
