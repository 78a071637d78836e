package io.prescale.controller.simulation.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;

/**
 * One value a minute as a short text, for example {@code 12x5,13,,14}: five minutes of 12, one of
 * 13, one unknown, one of 14.
 */
final class Column {

  /** Digits that measured values keep: an error of at most 0.05 %, finer than a pixel. */
  private static final MathContext DIGITS = new MathContext(4);

  private Column() {}

  static String ofIntegers(int minutes, IntUnaryOperator value) {
    return of(minutes, i -> Integer.toString(value.applyAsInt(i)));
  }

  /** Rounded to {@link #DIGITS}; what is not a finite number is unknown. */
  static String ofMeasurements(int minutes, IntToDoubleFunction value) {
    return of(minutes, i -> rounded(value.applyAsDouble(i)));
  }

  /** An empty cell is an unknown value. */
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
