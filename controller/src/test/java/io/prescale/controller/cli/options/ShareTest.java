package io.prescale.controller.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShareTest {

  @ParameterizedTest
  @CsvSource({
    "0.5%, 0.005",
    "0.5 %, 0.005",
    "0.005, 0.005",
    "80%, 0.8",
    "0, 0",
    "100%, 1",
    "1, 1",
    "5e-3, 0.005"
  })
  void isAPercentageOrAFraction(String text, double value) {
    assertThat(Share.parse(text).value()).isEqualTo(value);
  }

  /** As a file or a shell gives it. */
  @Test
  void blanksAroundItChangeNothing() {
    assertThat(Share.parse("0.05%\n").value()).isEqualTo(0.0005);
    assertThat(ShareOfTime.parse(" 50 % ").value()).isEqualTo(0.5);
    assertThat(Percentage.parse("95%\n").percent()).isEqualTo(95);
  }

  @ParameterizedTest
  @ValueSource(strings = {"101%", "-1%", "NaN"})
  void refusesWhatIsMoreThanAllOrLessThanNothing(String text) {
    assertThatThrownBy(() -> Share.parse(text))
        .hasMessageStartingWith("a share must be from 0% to 100%: ");
  }

  @Test
  void aNumberAboveOneIsMissingItsPercentSign() {
    assertThatThrownBy(() -> Share.parse("80"))
        .hasMessage(
            "\"80\" is more than the whole, which is 1 or 100%; write 80% for a percentage");
    assertThatThrownBy(() -> Share.parse("500"))
        .as("of which no percentage is meant")
        .hasMessage("\"500\" is more than the whole, which is 1 or 100%");
  }

  @ParameterizedTest
  @CsvSource({"0.5%, 0.005", "0.005, 0.005", "50%, 0.5"})
  void aShareOfTimeIsAPercentageOrASmallFraction(String text, double value) {
    assertThat(ShareOfTime.parse(text).value()).isEqualTo(value);
  }

  @Test
  void aBudgetOfHalfIsAskedFor() {
    assertThatThrownBy(() -> ShareOfTime.parse("0.5"))
        .hasMessage("\"0.5\" could mean 0.5% or 50% of the time; write one of them");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "%", "half", "0,5%", "5 per cent"})
  void refusesWhatIsNoNumber(String text) {
    assertThatThrownBy(() -> Share.parse(text))
        .hasMessageEndingWith("is not a share; write one such as 0.5% or 0.005");
  }
}
