package io.prescale.forecasting;

import java.time.Duration;
import java.util.StringJoiner;

/** Durations for messages: {@code 400 days}, {@code 1 h 30 min}. */
public final class DurationInWords {
  private DurationInWords() {}

  /** The days, hours, minutes and seconds that there are, or milliseconds below a second. */
  public static String of(Duration duration) {
    if (duration.isNegative()) {
      return "-" + of(duration.negated());
    }
    if (duration.isPositive() && duration.compareTo(Duration.ofSeconds(1)) < 0) {
      return duration.toMillis() + " ms";
    }
    var words = new StringJoiner(" ").setEmptyValue("0 s");
    long days = duration.toDays();
    add(words, days, days == 1 ? "day" : "days");
    add(words, duration.toHoursPart(), "h");
    add(words, duration.toMinutesPart(), "min");
    int millis = duration.toMillisPart();
    if (millis > 0) {
      return words.add(duration.toSecondsPart() + millis / 1000.0 + " s").toString();
    }
    add(words, duration.toSecondsPart(), "s");
    return words.toString();
  }

  private static void add(StringJoiner words, long count, String unit) {
    if (count != 0) {
      words.add(count + " " + unit);
    }
  }
}
