package io.prescale.controller.simulation.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnTest {

  @Test
  void countsRepeatedValues() {
    int[] values = {12, 12, 12, 12, 12, 13, 14, 14};

    assertThat(Column.ofIntegers(values.length, i -> values[i])).isEqualTo("12x5,13,14x2");
  }

  @Test
  void leavesUnknownValuesEmpty() {
    double nan = Double.NaN;
    double[] values = {1.5, nan, nan, Double.POSITIVE_INFINITY, 2, nan};

    assertThat(Column.ofMeasurements(values.length, i -> values[i])).isEqualTo("1.5,x3,2,");
  }

  @Test
  void isEmptyWithoutMinutes() {
    assertThat(Column.ofIntegers(0, i -> i)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "123.456, 123.5",
    "-0.000123456, -0.0001235",
    "1200, 1200",
    "123456789, 1.235E+8",
    "1e-300, 1E-300",
    "0, 0",
    "-0.0, 0"
  })
  void keepsFourDigits(double value, String cell) {
    assertThat(Column.ofMeasurements(1, i -> value)).isEqualTo(cell);
  }
}
