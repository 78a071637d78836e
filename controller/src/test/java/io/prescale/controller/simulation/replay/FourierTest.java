package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FourierTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 12, 30, 97, 360, 1001})
  void agreesWithTheDefinition(int n) {
    double[] values = noise(n);

    Fourier.Spectrum spectrum = Fourier.transform(values);

    for (int k = 0; k < n; k++) {
      double re = 0;
      double im = 0;
      for (int j = 0; j < n; j++) {
        double angle = -2 * Math.PI * ((long) j * k % n) / n;
        re += values[j] * Math.cos(angle);
        im += values[j] * Math.sin(angle);
      }
      assertThat(spectrum.magnitude(k)).isCloseTo(Math.hypot(re, im), within(1e-10));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 60, 97, 1440, 20_160})
  void theInverseGivesTheValuesBack(int n) {
    double[] values = noise(n);

    assertThat(Fourier.inverse(Fourier.transform(values))).containsExactly(values, within(1e-12));
  }

  @Test
  void removingAFrequencyTakesItOutOfTheValues() {
    int n = 120;
    double[] values = new double[n];
    double[] slow = new double[n];
    for (int j = 0; j < n; j++) {
      slow[j] = 5 + 2 * Math.sin(2 * Math.PI * j / n);
      values[j] = slow[j] + Math.cos(2 * Math.PI * 30 * j / n);
    }

    Fourier.Spectrum spectrum = Fourier.transform(values);
    spectrum.remove(30);
    spectrum.remove(90);

    assertThat(Fourier.inverse(spectrum)).containsExactly(slow, within(1e-12));
  }

  @Test
  void nothingTransformsToNothing() {
    assertThat(Fourier.inverse(Fourier.transform(new double[0]))).isEmpty();
  }

  private static double[] noise(int n) {
    return new SplittableRandom(n).doubles(n, -1, 1).toArray();
  }
}
