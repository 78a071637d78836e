package io.prescale.controller.cli.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantileLevelsTest {

  @Test
  void ascend() {
    assertThat(QuantileLevels.parse("0.1,0.5, 0.999").values()).containsExactly(0.1, 0.5, 0.999);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0.5,0.1", "0.5,0.5", "0", "1", "0.1,NaN", "0.0001", "", "a", "0.1,", "10"})
  void refusesWhatIsNoDistribution(String text) {
    assertThatThrownBy(() -> QuantileLevels.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({"0.1, q10", "0.95, q95", "0.999, q99.9", "0.07, q7", "0.29, q29", "0.001, q0.1"})
  void nameColumns(double level, String column) {
    assertThat(QuantileLevels.column(level)).isEqualTo(column);
  }
}
