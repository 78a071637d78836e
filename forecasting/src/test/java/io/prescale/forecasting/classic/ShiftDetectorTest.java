package io.prescale.forecasting.classic;

import static java.lang.Double.NaN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ShiftDetectorTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Random random = new Random(1);
  private final ShiftDetector detector = ShiftDetector.of(noise(5_000, 0), MINUTE);

  @Test
  void aShiftIsDetectedOnceAfterTwoAndAHalfHoursAndMeasured() {
    double shifted = 0;
    int noticedAt = 0;
    for (int i = 0; i < 300; i++) {
      double shift = detector.observe(20 - shifted + random.nextGaussian());
      noticedAt = shift != 0 ? i : noticedAt;
      shifted += shift;
    }
    assertThat(shifted).isCloseTo(20, within(0.5));
    assertThat(noticedAt).isBetween(140, 160);
  }

  @Test
  void noiseIsNoShift() {
    for (double error : noise(20_000, 0)) {
      assertThat(detector.observe(error)).isZero();
    }
  }

  @Test
  void aBurstIsNoShiftHoweverHigh() {
    for (int i = 0; i < 500; i++) {
      assertThat(detector.observe(i >= 100 && i < 160 ? 1e6 : random.nextGaussian())).isZero();
    }
  }

  @Test
  void missingErrorsChangeNothing() {
    for (int i = 0; i < 1000; i++) {
      assertThat(detector.observe(i < 100 ? 20 : NaN)).isZero();
    }
  }

  @Test
  void whereNothingEverDeviatedAnyLastingDeviationIsAShift() {
    var never = ShiftDetector.of(new double[100], MINUTE);
    double shifted = 0;
    for (int i = 0; i < 200; i++) {
      shifted += never.observe(0.001 - shifted);
    }
    assertThat(shifted).isCloseTo(0.001, within(1e-6));
  }

  private double[] noise(int size, double mean) {
    return random.doubles(size).map(u -> mean + random.nextGaussian()).toArray();
  }
}
