package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class AdaptiveWidthTest {

  /** Normal truths; the models claim 1.5 or 0.75 times the true distances of 10 % and 90 %. */
  private static double coverageOfTheUpperQuantile(double claimed) {
    var width = new AdaptiveWidth();
    var random = new Random(1);
    double z = 1.2816;
    int within = 0;
    for (int i = 0; i < 12_000; i++) {
      double truth = 50 + random.nextGaussian();
      if (i >= 4000 && truth <= width.widened(50 + claimed * z, 50)) {
        within++;
      }
      width.learn(truth, 50, 50 - claimed * z, 0.1, 50 + claimed * z, 0.9);
    }
    return within / 8000.0;
  }

  @Test
  void bringsCoverageBackFromTooNarrowAndTooWide() {
    assertThat(coverageOfTheUpperQuantile(0.6)).isCloseTo(0.9, within(0.015));
    assertThat(coverageOfTheUpperQuantile(1)).isCloseTo(0.9, within(0.015));
    assertThat(coverageOfTheUpperQuantile(1.5)).isCloseTo(0.9, within(0.015));
  }

  @Test
  void theSidesLearnSeparately() {
    var width = new AdaptiveWidth();
    for (int i = 0; i < 100; i++) {
      width.learn(70, 50, 40, 0.1, 60, 0.9);
    }
    assertThat(width.widened(60, 50)).isGreaterThan(64);
    assertThat(width.widened(40, 50)).isGreaterThan(40);
    assertThat(width.widened(50, 50)).isEqualTo(50);
  }

  @Test
  void staysWithinItsLimits() {
    var width = new AdaptiveWidth();
    for (int i = 0; i < 5000; i++) {
      width.learn(1e9, 50, 40, 0.1, 60, 0.9);
    }
    assertThat(width.widened(60, 50)).isCloseTo(50 + 10 * Math.E, within(1e-9));
    assertThat(width.widened(40, 50)).isCloseTo(50 - 10 * Math.exp(-0.5), within(1e-9));
  }
}
