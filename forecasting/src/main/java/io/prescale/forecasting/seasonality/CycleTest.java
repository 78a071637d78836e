package io.prescale.forecasting.seasonality;

import java.util.Arrays;

/**
 * Tests whether a signal repeats with a given period, whatever the colour of its noise.
 *
 * <p>Over a whole number of cycles C, the part that repeats falls on every C-th line of the Fourier
 * transform, and the part that differs from cycle to cycle on the lines between. So the power of a
 * harmonic is compared with the mean power of the lines around it. Without a season both are noise
 * of nearly the same colour, white, autoregressive or a random walk alike, and the ratio has an F
 * distribution with 2 and 2m degrees of freedom for m lines (as in the harmonic F-test of Thomson
 * 1982, Proc. IEEE 70, §XIII, with neighbouring lines in place of tapers). The harmonics are
 * combined by Fisher's method.
 */
final class CycleTest {
  /** Lines on each side of a harmonic that serve as its background. */
  private static final int NEIGHBOURS = 4;

  /** Numbers of harmonics to combine: one is enough for a sine, many find a sharp peak. */
  private static final int[] HARMONICS = {1, 2, 4, 8};

  /** Enough for the harmonics and their neighbours. */
  private static final int STEPS_PER_CYCLE = 96;

  private final double[] signal;

  CycleTest(double[] signal) {
    this.signal = signal;
  }

  /** Logarithm of the probability that noise repeats as well as this. O(n). */
  double logProbability(double periodSteps) {
    return logProbability(periodSteps, Integer.MAX_VALUE);
  }

  /**
   * The same for the harmonics of {@code periodSteps} that are not harmonics of its {@code part}-th
   * part too: does the longer period add anything to the shorter one?
   */
  double logProbability(double periodSteps, int part) {
    int factor = Math.max(1, (int) (periodSteps / STEPS_PER_CYCLE));
    int cycles = (int) (signal.length / periodSteps + 1e-9);
    int used = Math.min(signal.length, (int) Math.round(cycles * periodSteps));
    var newest = Arrays.copyOfRange(signal, signal.length - used, signal.length);
    var x = Signal.blockMeans(newest, factor);
    double period = periodSteps / factor;

    var harmonics = harmonics(period, part);
    if (cycles < 2 || harmonics.length == 0) {
      return 0;
    }
    detrend(x, cycles);
    return combined(logProbabilities(x, period, cycles, harmonics));
  }

  /**
   * Subtracts the line through the means of the cycles. A season does not move it, as it would a
   * line through all values.
   */
  private static void detrend(double[] x, int cycles) {
    double centre = (cycles - 1) / 2.0;
    double slope = 0;
    double spread = 0;
    for (int cycle = 0; cycle < cycles; cycle++) {
      int from = (int) ((long) cycle * x.length / cycles);
      int to = (int) ((cycle + 1L) * x.length / cycles);
      slope += (cycle - centre) * Arrays.stream(x, from, to).average().orElse(0);
      spread += (cycle - centre) * (cycle - centre);
    }
    slope *= cycles / (spread * x.length);
    for (int i = 0; i < x.length; i++) {
      x[i] -= slope * i;
    }
  }

  private static int[] harmonics(double period, int part) {
    var harmonics = new int[HARMONICS[HARMONICS.length - 1]];
    int count = 0;
    for (int j = 1; count < harmonics.length && j < period / 2; j++) {
      if (j % part != 0) {
        harmonics[count++] = j;
      }
    }
    return Arrays.copyOf(harmonics, count);
  }

  private static double[] logProbabilities(double[] x, double period, int cycles, int[] harmonics) {
    int side = Math.min(cycles - 1, NEIGHBOURS);
    int lines = 2 * side + 1;
    var frequencies = new double[harmonics.length * lines];
    for (int h = 0; h < harmonics.length; h++) {
      for (int line = 0; line < lines; line++) {
        frequencies[h * lines + line] = (harmonics[h] * cycles + line - side) / (cycles * period);
      }
    }
    var power = Spectrum.powers(x, frequencies);
    var logs = new double[harmonics.length];
    for (int h = 0; h < harmonics.length; h++) {
      double harmonic = power[h * lines + side];
      double background = -harmonic;
      for (int line = 0; line < lines; line++) {
        background += power[h * lines + line];
      }
      logs[h] = logTailOfF(harmonic / (background / (2 * side)), 2 * side);
    }
    return logs;
  }

  /** P(F > f) for 2 and 2m degrees of freedom is (1 + f/m)^-m. */
  private static double logTailOfF(double f, int m) {
    return Double.isNaN(f) ? 0 : -m * Math.log1p(f / m);
  }

  /** The best of several numbers of harmonics, with Bonferroni's correction for the choice. */
  private static double combined(double[] logs) {
    double best = 0;
    for (int count : HARMONICS) {
      if (count <= logs.length) {
        double sum = 0;
        for (int h = 0; h < count; h++) {
          sum -= logs[h];
        }
        best = Math.min(best, logTailOfChiSquare(sum, count));
      }
    }
    return Math.min(0, best + Math.log(HARMONICS.length));
  }

  /** P(chi-square of 2k degrees of freedom > 2x) is exp(-x) times the first k terms of exp(x). */
  private static double logTailOfChiSquare(double x, int k) {
    double term = 1;
    double sum = 1;
    for (int i = 1; i < k; i++) {
      term *= x / i;
      sum += term;
    }
    return -x + Math.log(sum);
  }
}
