package io.prescale.controller.simulation.replay;

import java.util.Arrays;

/**
 * Finds the period of a signal as gocrane/crane does ({@code pkg/prediction/dsp}: {@code
 * findPeriod}, {@code FindPeriod}, {@code AutoCorrelation}, {@code isPeak}): a frequency with more
 * power than chance gives is a candidate, and the candidate on the highest hill of the
 * autocorrelation wins.
 *
 * <p>One thing differs. Crane finds the power that chance gives by shuffling the signal a hundred
 * times. The squared amplitudes of a shuffled signal are exponential with mean n·variance, so the
 * largest of n/2 of them stays below n·variance·−ln(1 − 0.99^(2/n)) in 99 % of the shuffles: the
 * same threshold, without chance.
 */
final class CranePeriod {

  static final int NONE = -1;

  private static final int DAY = 24 * 60;
  private static final int WEEK = 7 * DAY;
  private static final int FARTHEST_HILLSIDE = 4 * 60;

  private CranePeriod() {}

  /** The period in minutes of whole weeks, or with less than two of those whole days; or NONE. */
  static int of(double[] minutes) {
    int unit = minutes.length >= 2 * WEEK ? WEEK : DAY;
    if (minutes.length < 2 * unit) {
      return NONE;
    }
    int whole = minutes.length / unit * unit;
    return strongest(Arrays.copyOfRange(minutes, minutes.length - whole, minutes.length));
  }

  private static int strongest(double[] signal) {
    double[] standardized = standardized(signal);
    if (standardized.length == 0) {
      return NONE;
    }
    int n = signal.length;
    Fourier.Spectrum spectrum = Fourier.transform(standardized);
    double threshold = Math.sqrt(n * -Math.log1p(-Math.pow(0.99, 1.0 / (n / 2 - 1))));
    double[] autocorrelation = autocorrelation(spectrum);
    int best = NONE;
    int lastCandidate = Integer.MAX_VALUE;
    for (int k = 2; k < n / 2; k++) {
      int candidate = n / k;
      if (spectrum.magnitude(k) > threshold && candidate < lastCandidate) {
        lastCandidate = candidate;
        double height = best == NONE ? 0 : autocorrelation[best];
        if (autocorrelation[candidate] > height && isHill(autocorrelation, candidate)) {
          best = candidate;
        }
      }
    }
    return best;
  }

  /** Mean 0 and variance 1; empty when the signal does not vary. */
  private static double[] standardized(double[] signal) {
    double mean = Arrays.stream(signal).average().orElseThrow();
    double variance =
        Arrays.stream(signal).map(x -> (x - mean) * (x - mean)).average().orElseThrow();
    if (!(variance > 0)) {
      return new double[0];
    }
    return Arrays.stream(signal).map(x -> (x - mean) / Math.sqrt(variance)).toArray();
  }

  /** Circular, by the Wiener–Khinchin theorem. */
  private static double[] autocorrelation(Fourier.Spectrum spectrum) {
    int n = spectrum.size();
    double[] power = new double[n];
    for (int k = 0; k < n; k++) {
      power[k] = spectrum.magnitude(k) * spectrum.magnitude(k) / n;
    }
    return Fourier.inverse(new Fourier.Spectrum(power, new double[n]));
  }

  /** Rises to the left of the lag and falls to its right, by linear regression on either side. */
  private static boolean isHill(double[] autocorrelation, int lag) {
    int reach = Math.min(FARTHEST_HILLSIDE, lag / 2);
    int left = Math.max(0, lag - reach);
    int right = Math.min(autocorrelation.length - 1, lag + reach);
    return slope(autocorrelation, left, lag) > 0 && slope(autocorrelation, lag, right) < 0;
  }

  /** Least-squares slope of the values from (inclusive) to (inclusive); NaN of fewer than two. */
  private static double slope(double[] values, int from, int to) {
    double meanX = (from + to) / 2.0;
    double covariance = 0;
    double variance = 0;
    for (int i = from; i <= to; i++) {
      covariance += (i - meanX) * values[i];
      variance += (i - meanX) * (i - meanX);
    }
    return covariance / variance;
  }
}
