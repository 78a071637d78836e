package io.prescale.controller.simulation.replay;

/**
 * Discrete Fourier transforms of any length: recursive decimation in time with mixed radix (Cooley
 * &amp; Tukey, 1965). O(n · sum of the prime factors of n).
 */
final class Fourier {

  /** A complex sequence. */
  static final class Spectrum {
    private final double[] re;
    private final double[] im;

    /** Keeps the arrays. */
    Spectrum(double[] re, double[] im) {
      this.re = re;
      this.im = im;
    }

    int size() {
      return re.length;
    }

    double magnitude(int k) {
      return Math.sqrt(re[k] * re[k] + im[k] * im[k]);
    }

    void remove(int k) {
      re[k] = 0;
      im[k] = 0;
    }
  }

  private final int size;
  private final double[] cos;
  private final double[] sin;

  private Fourier(int size) {
    this.size = size;
    this.cos = new double[size];
    this.sin = new double[size];
    for (int k = 0; k < size; k++) {
      cos[k] = Math.cos(-2 * Math.PI * k / size);
      sin[k] = Math.sin(-2 * Math.PI * k / size);
    }
  }

  /** X[k] = Σ x[j]·exp(−2πi·jk/n). */
  static Spectrum transform(double[] values) {
    return new Fourier(values.length).transform(new Spectrum(values, new double[values.length]));
  }

  /** The real part of x[j] = Σ X[k]·exp(2πi·jk/n) / n. */
  static double[] inverse(Spectrum spectrum) {
    int n = spectrum.size();
    Spectrum swapped = new Fourier(n).transform(new Spectrum(spectrum.im, spectrum.re));
    double[] values = new double[n];
    for (int j = 0; j < n; j++) {
      values[j] = swapped.im[j] / n;
    }
    return values;
  }

  private Spectrum transform(Spectrum values) {
    var result = new Spectrum(new double[size], new double[size]);
    if (size > 0) {
      recurse(values, 0, size, result, 0);
    }
    return result;
  }

  /** Transforms the {@code n} values at {@code from}, {@code from + size / n}, … */
  private void recurse(Spectrum in, int from, int n, Spectrum out, int to) {
    if (n == 1) {
      out.re[to] = in.re[from];
      out.im[to] = in.im[from];
      return;
    }
    int radix = smallestFactor(n);
    int part = n / radix;
    for (int r = 0; r < radix; r++) {
      recurse(in, from + r * (size / n), part, out, to + r * part);
    }
    double[] re = new double[radix];
    double[] im = new double[radix];
    for (int k = 0; k < part; k++) {
      butterfly(out, to, n, k, re, im);
    }
  }

  /**
   * Turns element k of each of the parts of out[to .. to + n) into element k + q·part of the whole,
   * for each q.
   */
  private void butterfly(Spectrum out, int to, int n, int k, double[] re, double[] im) {
    int radix = re.length;
    int part = n / radix;
    for (int q = 0; q < radix; q++) {
      int step = (k + q * part) * (size / n);
      int turn = 0;
      double sumRe = 0;
      double sumIm = 0;
      for (int r = 0, i = to + k; r < radix; r++, i += part) {
        sumRe += out.re[i] * cos[turn] - out.im[i] * sin[turn];
        sumIm += out.re[i] * sin[turn] + out.im[i] * cos[turn];
        turn += step;
        turn -= turn >= size ? size : 0;
      }
      re[q] = sumRe;
      im[q] = sumIm;
    }
    for (int q = 0; q < radix; q++) {
      out.re[to + k + q * part] = re[q];
      out.im[to + k + q * part] = im[q];
    }
  }

  private static int smallestFactor(int n) {
    for (int p = 2; p * p <= n; p++) {
      if (n % p == 0) {
        return p;
      }
    }
    return n;
  }
}
