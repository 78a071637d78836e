package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class CoarseSeriesTest {
  @Test
  void whatIsZeroConstantOrMissingStaysSo() {
    assertThat(roundTrip(0, 0, Float.NaN, 0)).containsExactly(0, 0, Float.NaN, 0);
    assertThat(roundTrip(Float.NaN, Float.NaN)).containsExactly(Float.NaN, Float.NaN);
    assertThat(roundTrip()).isEmpty();
    for (float value : roundTrip(240, 240, Float.NaN, 240)) {
      assertThat(Float.isNaN(value) || Math.abs(value - 240) < 1e-4f).as("%s", value).isTrue();
    }
  }

  @Test
  void roundingIsSmallBesideTheNoise() {
    var random = new Random(7);
    var noisy = new float[20_000];
    for (int i = 0; i < noisy.length; i++) {
      noisy[i] = (float) (100 + 10 * random.nextGaussian());
    }
    float[] rounded = roundTrip(noisy);
    double squares = 0;
    double sum = 0;
    for (int i = 0; i < noisy.length; i++) {
      squares += Math.pow(rounded[i] - noisy[i], 2) / noisy.length;
      sum += (rounded[i] - noisy[i]) / noisy.length;
    }
    assertThat(Math.sqrt(squares)).isBetween(2.0, 2.8); // of a deviation of 10
    assertThat(sum).as("bias").isCloseTo(0, within(0.1));
  }

  @Test
  void aBurstAboveIdlenessIsKept() {
    var idle = new float[10_000];
    idle[5000] = 1000;
    float[] rounded = roundTrip(idle);
    assertThat(rounded[5000]).isCloseTo(1000, within(1f));
    assertThat(rounded[4999]).isZero();
    assertThat(rounded[5001]).isZero();
  }

  @Test
  void aLoadThatIsOnlyOnOrOffKeepsItsLevels() {
    var onOff = new float[1000];
    for (int i = 0; i < onOff.length; i++) {
      onOff[i] = i % 4 == 3 ? 100 : 10 * (i % 2);
    }
    float[] rounded = roundTrip(onOff);
    assertThat(rounded[3]).isCloseTo(100, within(5f));
    assertThat(rounded[1]).isCloseTo(10, within(2f));
    assertThat(rounded[2]).isZero();
  }

  @Test
  void negativeAndHugeValuesKeepSignAndSize() {
    assertThat(roundTrip(-400, -400)[1]).isCloseTo(-400, within(1e-3f));
    assertThat(roundTrip(1e30f, 1e30f)[0]).isCloseTo(1e30f, within(1e24f));
    assertThat(roundTrip(1e30f, 0, 1)[1]).isZero();
  }

  @Test
  void refusesAUnitThatIsNone() {
    for (float unit : new float[] {0, -1, Float.NaN, Float.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> CoarseSeries.ofNumbers(new int[] {Float.floatToIntBits(unit), 3}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("units");
    }
  }

  private static float[] roundTrip(float... values) {
    return CoarseSeries.ofNumbers(CoarseSeries.of(values).toNumbers()).toArray();
  }
}
