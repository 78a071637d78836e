package io.prescale.controller.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0           | 0
          12345.67    | 12,346
          1234.5      | 1,234
          99.995      | 100
          12.3456     | 12.35
          12.5        | 12.5
          -0.0012349  | -0.001235
          0.00001     | 1E-5
          2.5e12      | 2.5E12
          NaN         | unknown
          Infinity    | unknown
          """)
  void areBrief(double value, String text) {
    assertThat(Numbers.brief(value)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1",
    "-3, 1",
    "NaN, 1",
    "1, 1",
    "1.01, 1.2",
    "7, 8",
    "812, 1000",
    "0.0021, 0.0024"
  })
  void roundUpToTheEndOfAnAxis(double value, double end) {
    assertThat(Numbers.roundedUp(value)).isCloseTo(end, within(1e-12));
  }
}
