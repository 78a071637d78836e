package io.prescale.controller.input;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Reads the two fields of a row of a trace. */
final class CsvFields {
  /** Larger values (from the year 5138) are probably milliseconds. */
  private static final double LATEST_SECONDS = 1e11;

  /** A subset of what Java accepts. */
  private static final Pattern SPACE_FOR_T = Pattern.compile("^(.{10}) ");

  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?");

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
    return NUMBER.matcher(text).matches() ? unixSeconds(text) : rfc3339(text);
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
      // RFC 3339 §5.6 allows a space where ISO 8601 wants a T.
      return OffsetDateTime.parse(SPACE_FOR_T.matcher(text).replaceFirst("$1T")).toInstant();
    } catch (DateTimeException _) {
      throw new Unreadable(
          "%s is not a time; write Unix seconds such as 1767225600, or RFC 3339 with an offset such as 2026-01-01T00:00:00Z"
              .formatted(Excerpt.quoted(text)));
    }
  }

  /** A decimal number or infinity; empty for a missing value. */
  static OptionalDouble value(String field) throws Unreadable {
    var text = field.strip();
    if (NUMBER.matcher(text).matches()) {
      return OptionalDouble.of(Double.parseDouble(text));
    }
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "", "nan", "null" -> OptionalDouble.empty();
      case "inf", "+inf", "infinity", "+infinity" -> OptionalDouble.of(Double.POSITIVE_INFINITY);
      case "-inf", "-infinity" -> OptionalDouble.of(Double.NEGATIVE_INFINITY);
      default ->
          throw new Unreadable(
              "%s is not a number; write one such as 12.5, or leave the field empty if the value is missing"
                  .formatted(Excerpt.quoted(text)));
    };
  }
}
