package io.prescale.forecasting.seasonality;

import java.util.Arrays;
import java.util.Optional;

/** The mean cycle of a signal for a given period, and how closely it repeats. */
final class RepeatedProfile {
  private static final int PHASES_OF_STRENGTH = 48;

  /** The harmonics of a part whose power is compared with the lines around them. */
  private static final int HARMONICS = 4;

  /** How many lines on each side of a harmonic are compared with it. */
  private static final int AROUND = 3;

  /** The ratio of power to these lines above which a part stands out. */
  private static final double PROMINENT = 4;

  /** The ratio of power to the best part so far above which a part replaces it. */
  private static final double CLEARLY = 1.1;

  private final double[] signal;
  private final double periodSteps;

  RepeatedProfile(double[] signal, double periodSteps) {
    this.signal = signal;
    this.periodSteps = periodSteps;
  }

  /** Subtracts the mean cycle, with one phase for each step of it; O(n). */
  void subtractFrom(double[] target) {
    var mean = meanCycle();
    for (int i = 0; i < target.length; i++) {
      target[i] -= mean[phase(i, mean.length)];
    }
  }

  /**
   * The strongest period that divides this one and is a season of its own, such as the hour within
   * a day: its harmonics stand out from the neighbouring ones of the mean cycle.
   *
   * @param fewest the least number of parts, exclusive
   * @param most the largest number of parts; O(period * most)
   */
  Optional<Double> prominentPart(int fewest, int most) {
    var mean = meanCycle();
    var frequencies = new double[Math.min(mean.length / 2, HARMONICS * most + AROUND + 1)];
    for (int k = 0; k < frequencies.length; k++) {
      frequencies[k] = (double) k / mean.length;
    }
    var power = Spectrum.powers(mean, frequencies);
    double highest = 0;
    Optional<Double> part = Optional.empty();
    for (int parts = most; parts > fewest; parts--) {
      double own = 0;
      double others = 0;
      for (int k = parts; k <= HARMONICS * parts && k + AROUND < power.length; k += parts) {
        own += power[k];
        others += Math.max(max(power, k - AROUND, k), max(power, k + 1, k + AROUND + 1));
      }
      // A longer part also has the harmonics of those that divide it, so it must be stronger.
      if (own > PROMINENT * others && own > CLEARLY * highest) {
        highest = own;
        part = Optional.of(periodSteps / parts);
      }
    }
    return part;
  }

  private static double max(double[] values, int from, int to) {
    return Arrays.stream(values, from, to).max().orElse(0);
  }

  /**
   * Autocorrelation at a lag of one period, after smoothing and removing the moving average over
   * one period: the share of the variance within a cycle that repeats in the next (the strength of
   * seasonality, FPP3 §4.3, without bias however few the cycles). At least 0; O(n).
   *
   * @param smoothedForPeriod the smoothing is 1/48 of this period wide, in steps
   */
  double strength(double smoothedForPeriod) {
    double width = Math.max(1, smoothedForPeriod / PHASES_OF_STRENGTH);
    int phases = (int) Math.max(2, periodSteps / width + 1e-9);
    int cycles = (int) (signal.length / periodSteps + 1e-9);
    var x = withoutMovingAverage(binMeans(cycles, phases), phases);
    double product = 0;
    double earlier = 0;
    double later = 0;
    for (int i = phases; i < x.length; i++) {
      product += x[i] * x[i - phases];
      earlier += x[i - phases] * x[i - phases];
      later += x[i] * x[i];
    }
    double scale = Math.sqrt(earlier * later);
    return scale > 0 ? Math.clamp(product / scale, 0, 1) : 0;
  }

  private double[] meanCycle() {
    var mean = new double[(int) Math.max(1, Math.round(periodSteps))];
    var counts = new int[mean.length];
    for (int i = 0; i < signal.length; i++) {
      mean[phase(i, mean.length)] += signal[i];
      counts[phase(i, mean.length)]++;
    }
    for (int phase = 0; phase < mean.length; phase++) {
      mean[phase] = counts[phase] > 0 ? mean[phase] / counts[phase] : 0;
    }
    return mean;
  }

  private double[] binMeans(int cycles, int phases) {
    var means = new double[cycles * phases];
    double width = periodSteps / phases;
    double offset = signal.length - means.length * width;
    for (int bin = 0; bin < means.length; bin++) {
      int from = (int) Math.max(0, Math.round(offset + bin * width));
      int to =
          (int) Math.min(signal.length, Math.max(from + 1, Math.round(offset + (bin + 1) * width)));
      means[bin] = Arrays.stream(signal, from, to).average().orElse(0);
    }
    return means;
  }

  /** The window is one cycle long; at both ends it stays within the signal. */
  private static double[] withoutMovingAverage(double[] x, int window) {
    var cumulative = new double[x.length + 1];
    for (int i = 0; i < x.length; i++) {
      cumulative[i + 1] = cumulative[i] + x[i];
    }
    var centred = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      int from = Math.clamp(i - window / 2, 0, x.length - window);
      centred[i] = x[i] - (cumulative[from + window] - cumulative[from]) / window;
    }
    return centred;
  }

  private int phase(int i, int phases) {
    return (int) ((i % periodSteps) / periodSteps * phases);
  }
}
