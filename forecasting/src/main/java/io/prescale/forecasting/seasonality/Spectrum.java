package io.prescale.forecasting.seasonality;

import io.prescale.forecasting.RobustScale;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.commons.math3.transform.DftNormalization;
import org.apache.commons.math3.transform.FastFourierTransformer;
import org.apache.commons.math3.transform.TransformType;

/**
 * The periodogram of a signal relative to its own background. The spectrum of nearly all demand
 * falls with frequency; dividing by the background makes its peaks comparable.
 */
final class Spectrum {
  /** The background at a line is the median over lines of about this ratio of frequencies. */
  private static final double BAND = 1.5;

  /** Periods longer than this many steps are searched for on a coarser grid. */
  private static final int STEPS_OF_THE_SHORTEST = 24;

  private final double[] relative;
  private final int padded;

  private Spectrum(double[] x) {
    padded = Math.max(4, Integer.highestOneBit(Math.max(1, 2 * x.length - 1)));
    var real = new double[padded];
    var imaginary = new double[padded];
    for (int i = 0; i < x.length; i++) {
      // Hann's window: a slow drift must not leak into all frequencies.
      real[i] = x[i] * (0.5 - 0.5 * Math.cos(2 * Math.PI * (i + 0.5) / x.length));
    }
    FastFourierTransformer.transformInPlace(
        new double[][] {real, imaginary}, DftNormalization.STANDARD, TransformType.FORWARD);
    var power = new double[padded / 2];
    for (int k = 0; k < power.length; k++) {
      power[k] = real[k] * real[k] + imaginary[k] * imaginary[k];
    }
    relative = relativeToBackground(power);
  }

  /**
   * The periods, in steps, of the highest peaks between the limits; the highest first. O(n log n).
   */
  static List<Double> peaks(double[] x, double shortestSteps, double longestSteps, int count) {
    int factor = Math.max(1, (int) (shortestSteps / STEPS_OF_THE_SHORTEST));
    return new Spectrum(Signal.blockMeans(x, factor))
        .peaks(shortestSteps / factor, longestSteps / factor, count).stream()
            .map(period -> period * factor)
            .toList();
  }

  private List<Double> peaks(double shortestSteps, double longestSteps, int count) {
    int from = Math.max(1, (int) (padded / longestSteps));
    int to = Math.min(relative.length - 2, (int) Math.ceil(padded / shortestSteps));
    var lines = new ArrayList<Integer>();
    for (int k = from; k <= to; k++) {
      if (relative[k] >= relative[k - 1] && relative[k] > relative[k + 1]) {
        lines.add(k);
      }
    }
    lines.sort(Comparator.comparingDouble((Integer k) -> relative[k]).reversed());
    return lines.stream().limit(count).map(k -> padded / refined(k)).toList();
  }

  /** Vertex of the parabola through a peak and its neighbours. */
  private double refined(int k) {
    double left = relative[k - 1];
    double right = relative[k + 1];
    double curvature = left - 2 * relative[k] + right;
    return curvature < 0 ? k + (left - right) / (2 * curvature) : k;
  }

  /**
   * The period near {@code period} at which its first harmonics have the most power: the best of
   * nine frequencies up to half a line away, then of nine between these.
   */
  static double refined(double[] x, double period) {
    int factor = Math.max(1, (int) (period / STEPS_OF_THE_SHORTEST));
    var coarse = Signal.blockMeans(x, factor);
    double first = refined(coarse, period / factor, 0.5);
    return factor * refined(coarse, first, 0.5 / 8);
  }

  private static double refined(double[] x, double period, double lines) {
    int trials = 9;
    int harmonics = (int) Math.clamp(period / 2 - 1, 1, 4);
    var frequencies = new double[trials * harmonics];
    for (int i = 0; i < frequencies.length; i++) {
      int trial = i / harmonics;
      double offset = lines * (2.0 * trial / (trials - 1) - 1);
      frequencies[i] = (1 + i % harmonics) * (x.length / period + offset) / x.length;
    }
    var power = powers(x, frequencies);
    double best = -1;
    double refined = period;
    for (int i = 0; i < frequencies.length; i += harmonics) {
      double sum = Arrays.stream(power, i, i + harmonics).sum();
      if (sum > best) {
        best = sum;
        refined = 1 / frequencies[i];
      }
    }
    return refined;
  }

  private static double[] relativeToBackground(double[] power) {
    var relative = new double[power.length];
    for (int from = 1; from < power.length; ) {
      int to = Math.min(power.length, (int) Math.ceil(from * BAND) + 1);
      int low = (int) (from / BAND);
      int high = Math.min(power.length, (int) Math.ceil(to * BAND) + 1);
      double background = RobustScale.median(power, Math.max(1, low), high);
      for (int k = from; k < to; k++) {
        relative[k] = background > 0 ? power[k] / background : 0;
      }
      from = to;
    }
    return relative;
  }

  /**
   * Power at arbitrary frequencies (Goertzel 1958, American Mathematical Monthly 65).
   *
   * @param frequencies in cycles per step; O(n * frequencies)
   */
  static double[] powers(double[] x, double[] frequencies) {
    int count = frequencies.length;
    var factor = new double[count];
    for (int k = 0; k < count; k++) {
      factor[k] = 2 * Math.cos(2 * Math.PI * frequencies[k]);
    }
    var last = new double[count];
    var secondLast = new double[count];
    for (double value : x) {
      for (int k = 0; k < count; k++) { // all frequencies side by side: the compiler vectorizes it
        double next = value + factor[k] * last[k] - secondLast[k];
        secondLast[k] = last[k];
        last[k] = next;
      }
    }
    var power = new double[count];
    for (int k = 0; k < count; k++) {
      power[k] =
          last[k] * last[k] + secondLast[k] * secondLast[k] - factor[k] * last[k] * secondLast[k];
    }
    return power;
  }
}
