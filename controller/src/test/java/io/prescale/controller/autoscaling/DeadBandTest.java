package io.prescale.controller.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeadBandTest {

  @ParameterizedTest
  @CsvSource({
    "20, 20, true", "21, 20, true", "22, 20, true", "23, 20, false", "18, 20, true",
    "17, 20, false", "1, 1, true", "2, 1, false", "9, 10, true", "8, 10, false"
  })
  void holdsWithinATenth(int wanted, int current, boolean holds) {
    assertThat(new DeadBand(0.1, 0.1).holds(wanted, current)).isEqualTo(holds);
  }

  @Test
  void theDirectionsHaveTheirOwn() {
    var band = new DeadBand(0, 0.2);
    assertThat(band.holds(11, 10)).isFalse();
    assertThat(band.holds(8, 10)).isTrue();
    assertThat(band.holds(7, 10)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"-0.1, 0", "0, -0.1", "1, 0", "0, 1", "NaN, 0", "0, NaN"})
  void refusesAToleranceThatIsNone(double up, double down) {
    assertThatThrownBy(() -> new DeadBand(up, down))
        .hasMessage("tolerance must be from 0 to below 1: " + up + ", " + down);
  }
}
