package io.prescale.controller.input;

import io.prescale.controller.input.TraceColumn.Form;
import io.prescale.controller.input.TraceColumn.Unreadable;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/** Reads the values of a trace: numbers, possibly in a unit; NaN where one is missing. */
final class TraceValues {
  private static final Pattern WITH_UNIT =
      Pattern.compile("([-+.,0-9eE]+)(?:[\\s\\u00a0\\u202f]+[^\\s\\d].{0,40}|%)");

  /** How Grafana shortens numbers of its units "short" and "requests/sec". */
  private static final Pattern PREFIX = Pattern.compile("(K|Mil|Bil)(?:[\\s\\u00a0\\u202f]+(.+))?");

  private final boolean semicolons;
  private String unit = "";
  private boolean unitKnown;
  private boolean shortened;

  /**
   * @param semicolons whether these separate the fields, as where the comma is the decimal mark
   */
  TraceValues(boolean semicolons) {
    this.semicolons = semicolons;
  }

  /** How numbers are written. */
  private record Notation(String decimalMark, String separator, Pattern number) {
    private static Notation of(String decimalMark, String separator) {
      var grouped = "[1-9][0-9]{0,2}(?:\\Q%s\\E[0-9]{3})+|".formatted(separator);
      var number =
          "[+-]?(?:(?:%1$s[0-9]+)(?:\\Q%2$s\\E[0-9]*)?|\\Q%2$s\\E[0-9]+)(?:[eE][+-]?[0-9]+)?"
              .formatted(separator.isEmpty() ? "" : grouped, decimalMark);
      return new Notation(decimalMark, separator, Pattern.compile(number));
    }

    boolean matches(String text) {
      return number.matcher(text).matches();
    }

    double parse(String text) {
      return Double.parseDouble(text.replace(separator, "").replace(decimalMark, "."));
    }
  }

  TraceColumn column(String name) {
    return new TraceColumn(
        name,
        semicolons
            ? List.of(form("a decimal point", ".", ""), form("a thousands separator", ",", "."))
            : List.of(form("a thousands separator", ".", ","), form("a decimal comma", ",", "")),
        "write numbers such as 1234 and 12.5, without thousands separators");
  }

  /** Whether a value had a prefix for thousands or more. */
  boolean isShortened() {
    return shortened;
  }

  /** The unit of every value; empty if there is none. */
  String unit() {
    return unit;
  }

  private Form form(String name, String decimalMark, String separator) {
    var notation = Notation.of(decimalMark, separator);
    return new Form(name, text -> value(text, notation));
  }

  private double value(String text, Notation notation) throws Unreadable {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "", "nan", "null", "undefined" -> Double.NaN;
      case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      default -> number(text, notation);
    };
  }

  private double number(String text, Notation notation) throws Unreadable {
    var parts = WITH_UNIT.matcher(text);
    boolean hasUnit = parts.matches();
    var number = hasUnit ? parts.group(1) : text;
    if (!notation.matches(number)) {
      throw new Unreadable(
          "%s is not a number; write one such as 12.5, or leave the field empty if the value is missing"
              .formatted(Excerpt.quoted(text)));
    }
    var its = hasUnit ? text.substring(number.length()).strip() : "";
    var prefix = PREFIX.matcher(its);
    if (!prefix.matches()) {
      requireUnit(text, its);
      return notation.parse(number);
    }
    shortened = true;
    requireUnit(text, Objects.requireNonNullElse(prefix.group(2), ""));
    return notation.parse(number) * factor(prefix.group(1));
  }

  private static double factor(String prefix) {
    return switch (prefix) {
      case "K" -> 1e3;
      case "Mil" -> 1e6;
      default -> 1e9;
    };
  }

  /** A unit that changes, such as from B to KiB, changes what the numbers mean. */
  private void requireUnit(String text, String its) throws Unreadable {
    if (unitKnown && !its.equals(unit)) {
      throw new Unreadable(
          "%s is not in the unit of the rows above, %s; export the values without units"
              .formatted(
                  Excerpt.quoted(text), unit.isEmpty() ? "which have none" : Excerpt.quoted(unit)));
    }
    unitKnown = true;
    unit = its;
  }
}
