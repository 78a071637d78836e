package io.prescale.controller.simulation.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;

/**
 * A run-length encoded value per minute: {@code 12x5,13,,14} means 12 for five minutes, then 13,
 * unknown and 14 for one each.
 */
final class Column {

  /** Significant digits of measurements: the error of at most 0.05 % is smaller than a pixel. */
  private static final MathContext DIGITS = new MathContext(4);

  private Column() {}

  static String ofIntegers(int minutes, IntUnaryOperator value) {
    return of(minutes, i -> Integer.toString(value.applyAsInt(i)));
  }

  /** Rounds to {@link #DIGITS}; values that are not finite become unknown. */
  static String ofMeasurements(int minutes, IntToDoubleFunction value) {
    return of(minutes, i -> rounded(value.applyAsDouble(i)));
  }

  /** Encodes cells, of which an empty one is unknown. */
  static String of(int minutes, IntFunction<String> cell) {
    var column = new StringBuilder();
    int begin = 0;
    for (int i = 0; i < minutes; i = begin) {
      String value = cell.apply(i);
      do {
        begin++;
      } while (begin < minutes && cell.apply(begin).equals(value));
      column.append(i == 0 ? "" : ",").append(value);
      if (begin - i > 1) {
        column.append('x').append(begin - i);
      }
    }
    return column.toString();
  }

  private static String rounded(double value) {
    if (!Double.isFinite(value)) {
      return "";
    }
    BigDecimal number = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
    String plain = number.toPlainString();
    String scientific = number.toString();
    return plain.length() <= scientific.length() ? plain : scientific;
  }
}
