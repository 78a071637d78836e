package io.prescale.controller.input;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;

/** Reads the two fields of a row of a trace. */
final class CsvFields {
  /** Larger values (from the year 5138) are probably milliseconds. */
  private static final double LATEST_SECONDS = 1e11;

  private CsvFields() {}

  /** A field cannot be parsed. The message says what is wrong and what to do. */
  static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1;

    private final String problem;

    private Unreadable(String problem) {
      super(problem);
      this.problem = problem;
    }

    String problem() {
      return problem;
    }
  }

  /** Unix seconds, whole or decimal and rounded to milliseconds, or RFC 3339 with an offset. */
  static Instant timestamp(String field) throws Unreadable {
    var text = field.strip();
    if (text.isEmpty()) {
      throw new Unreadable("is empty; every row needs a timestamp in Unix seconds or RFC 3339");
    }
    return isNumber(text) ? unixSeconds(text) : rfc3339(text);
  }

  private static Instant unixSeconds(String text) throws Unreadable {
    double seconds = Double.parseDouble(text);
    if (Math.abs(seconds) >= LATEST_SECONDS) {
      throw new Unreadable(
          "%s is too large for Unix seconds; if it is in milliseconds, divide it by 1000"
              .formatted(Excerpt.quoted(text)));
    }
    return Instant.ofEpochMilli(Math.round(seconds * 1000));
  }

  private static Instant rfc3339(String text) throws Unreadable {
    try {
      return OffsetDateTime.parse(withT(text)).toInstant();
    } catch (DateTimeException _) {
      throw new Unreadable(
          "%s is not a time; write Unix seconds such as 1767225600, or RFC 3339 with an offset such as 2026-01-01T00:00:00Z"
              .formatted(Excerpt.quoted(text)));
    }
  }

  /** RFC 3339 §5.6 also allows lower case, and a space where ISO 8601 wants a T. */
  private static String withT(String text) {
    var upper = text.toUpperCase(Locale.ROOT);
    return upper.length() > 10 && upper.charAt(10) == ' '
        ? upper.substring(0, 10) + 'T' + upper.substring(11)
        : upper;
  }

  /** Parses a decimal number, NaN for a missing value, or infinity. */
  static double value(String field) throws Unreadable {
    var text = field.strip();
    if (isNumber(text)) {
      return Double.parseDouble(text);
    }
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "", "nan", "null" -> Double.NaN;
      case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      default ->
          throw new Unreadable(
              "%s is not a number; write one such as 12.5, or leave the field empty if the value is missing"
                  .formatted(Excerpt.quoted(text)));
    };
  }

  /**
   * Whether the text is {@code [+-]digits[.digits][e[+-]digits]}, a subset of what Java accepts.
   */
  private static boolean isNumber(String text) {
    int i = skipSign(text, 0);
    int whole = skipDigits(text, i);
    int digits = whole - i;
    i = whole;
    if (i < text.length() && text.charAt(i) == '.') {
      int fraction = skipDigits(text, i + 1);
      digits += fraction - i - 1;
      i = fraction;
    }
    if (digits == 0) {
      return false;
    }
    if (i < text.length() && (text.charAt(i) | 0x20) == 'e') {
      int from = skipSign(text, i + 1);
      i = skipDigits(text, from);
      return i > from && i == text.length();
    }
    return i == text.length();
  }

  private static int skipSign(String text, int from) {
    boolean signed = from < text.length() && (text.charAt(from) == '+' || text.charAt(from) == '-');
    return signed ? from + 1 : from;
  }

  private static int skipDigits(String text, int from) {
    int i = from;
    while (i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9') {
      i++;
    }
    return i;
  }
}
