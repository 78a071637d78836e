package io.prescale.controller.schedules;

import java.util.List;
import java.util.Locale;

/** One of the five fields of a {@link Cron}: its name, its bounds and the names of its values. */
enum CronField {
  MINUTE("minute", 0, 59, ""),
  HOUR("hour", 0, 23, ""),
  DAY_OF_MONTH("day of the month", 1, 31, ""),
  MONTH("month", 1, 12, "jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec"),
  DAY_OF_WEEK("day of the week", 0, 7, "sun,mon,tue,wed,thu,fri,sat");

  private static final long SUNDAY_AS_7 = 1L << 7;

  private final String label;
  private final int lowest;
  private final int highest;
  private final String names;

  CronField(String label, int lowest, int highest, String names) {
    this.label = label;
    this.lowest = lowest;
    this.highest = highest;
    this.names = names;
  }

  /**
   * The values that a field allows, a bit each.
   *
   * @throws IllegalArgumentException naming the part that makes no sense
   */
  long parse(String text) {
    long values = 0;
    for (String part : text.split(",", -1)) {
      values |= part(part);
    }
    boolean isSunday = this == DAY_OF_WEEK && (values & SUNDAY_AS_7) != 0;
    return isSunday ? (values & ~SUNDAY_AS_7) | 1 : values;
  }

  private long part(String part) {
    int slash = part.indexOf('/');
    String range = slash < 0 ? part : part.substring(0, slash);
    int step = slash < 0 ? 1 : number(part.substring(slash + 1), part);
    if (step < 1) {
      throw nonsense(part);
    }
    int from;
    int to;
    int dash = range.indexOf('-');
    if (isEvery(range)) {
      from = lowest;
      to = last();
    } else if (dash > 0) {
      from = value(range.substring(0, dash), part);
      to = value(range.substring(dash + 1), part);
    } else {
      from = value(range, part);
      to = slash < 0 ? from : last();
    }
    if (from > to) {
      throw nonsense(part);
    }
    long values = 0;
    for (int i = from; i <= to; i += step) {
      values |= 1L << i;
    }
    return values;
  }

  /** The last value of a whole turn: of two Sundays the first counts. */
  private int last() {
    return this == DAY_OF_WEEK ? highest - 1 : highest;
  }

  /** Whether a field does not restrict anything. */
  static boolean isEvery(String text) {
    return text.matches("[*?](/1)?");
  }

  private int value(String text, String part) {
    int named = List.of(names.split(",")).indexOf(text.toLowerCase(Locale.ROOT));
    int value = !text.isEmpty() && named >= 0 ? lowest + named : number(text, part);
    if (value < lowest || value > highest) {
      throw nonsense(part);
    }
    return value;
  }

  private int number(String text, String part) {
    if (!text.matches("[0-9]{1,2}")) {
      throw nonsense(part);
    }
    return Integer.parseInt(text);
  }

  private IllegalArgumentException nonsense(String part) {
    return new IllegalArgumentException(
        "\"%s\" is no %s; write *, or numbers from %d to %d as in 5, 1-5, 1,3 or */2"
            .formatted(part, label, lowest, highest));
  }
}
