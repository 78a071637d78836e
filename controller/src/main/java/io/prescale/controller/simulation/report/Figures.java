package io.prescale.controller.simulation.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Numbers formatted for reading, independent of the locale. An unknown number is a dash. */
final class Figures {

  static final String UNKNOWN = "–";

  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);

  private Figures() {}

  /**
   * A share as a percentage, with two significant digits or one decimal: {@code 0.31 %}, {@code
   * 12.3 %}.
   */
  static String percent(double share) {
    double percent = 100 * share;
    if (!Double.isFinite(percent)) {
      return UNKNOWN;
    }
    if (percent == 0) {
      return "0 %";
    }
    if (Math.abs(percent) < 0.001) {
      return "< 0.001 %";
    }
    var digits = new MathContext(2, RoundingMode.HALF_UP);
    var rounded = new BigDecimal(percent).round(digits);
    return rounded.scale() < 1 ? coverage(share) : rounded.toPlainString() + " %";
  }

  /** A round share as a percentage: {@code 0.5 %}, {@code 20 %}. */
  static String roundPercent(double share) {
    return Double.isFinite(share) ? plain(100 * share, 4) + " %" : UNKNOWN;
  }

  /** A share as a percentage with one decimal: {@code 94.6 %}. */
  static String coverage(OptionalDouble share) {
    return share.isPresent() ? coverage(share.getAsDouble()) : UNKNOWN;
  }

  static String coverage(double share) {
    return Double.isFinite(share) ? String.format(Locale.ROOT, "%.1f %%", 100 * share) : UNKNOWN;
  }

  /** A difference of two shares in percentage points: {@code −0.4 points}. */
  static String points(double difference) {
    if (!Double.isFinite(difference)) {
      return UNKNOWN;
    }
    String points = String.format(Locale.ROOT, "%+.1f points", 100 * difference);
    return points.replace("-0.0", "0.0").replace("+0.0", "0.0").replace('-', '−');
  }

  /** Two significant digits, and all digits before the decimal point: {@code 1.3}, {@code 215}. */
  static String ratio(double ratio) {
    return Double.isFinite(ratio) ? plain(ratio, ratio < 100 ? 2 : 5) : UNKNOWN;
  }

  /** {@code 1.27 ×}. */
  static String times(double factor) {
    return Double.isFinite(factor) ? String.format(Locale.ROOT, "%.2f ×", factor) : UNKNOWN;
  }

  /** One decimal, with thousands separators: {@code 12,345.6}. */
  static String decimal(double number) {
    return Double.isFinite(number) ? String.format(Locale.ROOT, "%,.1f", number) : UNKNOWN;
  }

  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A number with few significant digits, in plain notation unless it is very large or small. */
  static String number(double number) {
    if (!Double.isFinite(number)) {
      return UNKNOWN;
    }
    double size = Math.abs(number);
    boolean plain = number == 0 || (size >= 1e-4 && size < 1e15);
    return plain ? plain(number, 5) : String.format(Locale.ROOT, "%.4g", number);
  }

  private static String plain(double number, int digits) {
    var rounded = new BigDecimal(number).round(new MathContext(digits, RoundingMode.HALF_UP));
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  /** {@code 8 days}, {@code 5 min}, {@code 1 h 30 min}. */
  static String duration(Duration duration) {
    var parts = new ArrayList<String>();
    if (duration.toDays() > 0) {
      parts.add(duration.toDays() + (duration.toDays() == 1 ? " day" : " days"));
    }
    addPart(parts, duration.toHoursPart(), " h");
    addPart(parts, duration.toMinutesPart(), " min");
    if (parts.isEmpty() || duration.toSecondsPart() > 0 || duration.toMillisPart() > 0) {
      double seconds = duration.toSecondsPart() + duration.toMillisPart() / 1e3;
      parts.add(plain(seconds, 5) + " s");
    }
    return String.join(" ", parts);
  }

  private static void addPart(List<String> parts, int amount, String unit) {
    if (amount > 0) {
      parts.add(amount + unit);
    }
  }

  /** {@code 06:00}. */
  static String hour(int hour) {
    return String.format(Locale.ROOT, "%02d:00", hour);
  }

  /** A time to the minute. */
  static String time(Instant time, ZoneId zone) {
    return MINUTE.format(time.atZone(zone));
  }

  /** The usual name of a zone. */
  static String zone(ZoneId zone) {
    return zone.normalized().getId().equals("Z") ? "UTC" : zone.getId();
  }
}
