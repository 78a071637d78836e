package io.prescale.controller.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PercentageTest {

  @ParameterizedTest
  @CsvSource({"130%, 130", "130 %, 130", "130, 130", "1%, 1", "1000%, 1000"})
  void isAWholeNumberWithOrWithoutItsSign(String text, int percent) {
    assertThat(Percentage.parse(text).percent()).isEqualTo(percent);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "%", "much", "1.3", "99.5%", "0.95", "1,5", "5 per cent"})
  void refusesWhatIsNoWholePercentage(String text) {
    assertThatThrownBy(() -> Percentage.parse(text))
        .hasMessageEndingWith("is not a whole percentage; write one such as 95%");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0%", "-10%", "1001%"})
  void refusesWhatIsOutOfRange(String text) {
    assertThatThrownBy(() -> Percentage.parse(text))
        .hasMessageEndingWith("% is out of range; give 1% to 1000%");
  }
}
