package io.prescale.controller.simulation.replay;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Continues a periodic signal by one period: the estimators of gocrane/crane ({@code
 * pkg/prediction/dsp/estimators.go}).
 *
 * @param margin added to the shape, as a share of it
 */
public record CraneEstimator(Shape shape, double margin) {

  public CraneEstimator {
    if (!Double.isFinite(margin) || margin < 0) {
      throw new IllegalArgumentException("margin " + margin);
    }
  }

  /** Crane's eight defaults: a coarse and a fine filter, each with four margins. */
  public static List<CraneEstimator> defaults() {
    return Stream.of(new LowPass(3, 1.0), new LowPass(50, 0.05))
        .flatMap(
            shape ->
                Stream.of(0.01, 0.10, 0.15, 0.20).map(margin -> new CraneEstimator(shape, margin)))
        .toList();
  }

  double[] withMargin(double[] values) {
    return Arrays.stream(values).map(x -> x * (1 + margin)).toArray();
  }

  /** What the next period looks like. */
  @FunctionalInterface
  public interface Shape {

    /**
     * The next period.
     *
     * @param signal one value a minute, whole periods
     */
    double[] next(double[] signal, int period);
  }

  /**
   * The last period without what is both faster than an hour and weak.
   *
   * @param minItems how many of the strongest frequencies stay, however weak they are
   * @param lowAmplitude frequencies weaker than this, in units of the signal, are weak
   */
  public record LowPass(int minItems, double lowAmplitude) implements Shape {

    private static final int MAX_ITEMS = 100;
    private static final double FASTEST_PER_MINUTE = 1.0 / 60;
    private static final double LOWEST = 0.01;

    @Override
    public double[] next(double[] signal, int period) {
      Fourier.Spectrum spectrum = Fourier.transform(signal);
      int n = signal.length;
      double weakest = weakestKept(spectrum);
      for (int k = 0; k < n; k++) {
        // As in Crane, k goes over the mirrored half too, where every frequency counts as fast.
        boolean fast = (double) k / n > FASTEST_PER_MINUTE;
        if (fast && spectrum.magnitude(k) / n < weakest) {
          spectrum.remove(k);
        }
      }
      return Arrays.stream(Fourier.inverse(spectrum), n - period, n)
          .map(x -> x <= 0 ? LOWEST : x)
          .toArray();
    }

    private double weakestKept(Fourier.Spectrum spectrum) {
      int n = spectrum.size();
      double[] amplitudes = new double[n / 2 - 1];
      for (int k = 1; k < n / 2; k++) {
        amplitudes[k - 1] = spectrum.magnitude(k) / n;
      }
      Arrays.sort(amplitudes);
      int count = amplitudes.length;
      double weakest = Math.max(lowAmplitude, amplitudes[Math.max(0, count - MAX_ITEMS)]);
      return count < minItems ? weakest : Math.min(weakest, amplitudes[count - minItems]);
    }
  }
}
