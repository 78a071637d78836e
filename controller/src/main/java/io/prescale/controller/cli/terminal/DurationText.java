package io.prescale.controller.cli.terminal;

import io.prescale.controller.input.Excerpt;
import java.time.Duration;
import java.util.regex.Pattern;

/** Durations as users write them: {@code 30s}, {@code 5m}, {@code 1h30m}, {@code 14d}. */
public final class DurationText {
  private static final Duration LONGEST = Duration.ofDays(36_500);
  private static final Pattern PART = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|[smhdw])");
  private static final Pattern WHOLE = Pattern.compile("(?:" + PART.pattern() + ")+");

  private DurationText() {}

  public static boolean matches(String text) {
    return WHOLE.matcher(text).matches();
  }

  public static Duration parse(String text) {
    if (!matches(text)) {
      throw new IllegalArgumentException(
          "%s is not a duration; write a number with a unit such as 30s, 5m, 1h30m or 14d"
              .formatted(Excerpt.quoted(text)));
    }
    var sum = Duration.ZERO;
    for (var parts = PART.matcher(text); parts.find(); ) {
      double unitMillis = unit(parts.group(2)).toMillis();
      sum = sum.plusMillis(Math.round(Double.parseDouble(parts.group(1)) * unitMillis));
    }
    if (sum.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(Excerpt.quoted(text) + " is longer than a century");
    }
    return sum;
  }

  private static Duration unit(String letters) {
    return switch (letters) {
      case "ms" -> Duration.ofMillis(1);
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      case "h" -> Duration.ofHours(1);
      case "d" -> Duration.ofDays(1);
      case "w" -> Duration.ofDays(7);
      default -> throw new IllegalArgumentException(letters);
    };
  }
}
