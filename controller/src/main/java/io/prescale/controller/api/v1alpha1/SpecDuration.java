package io.prescale.controller.api.v1alpha1;

import java.time.Duration;
import java.util.regex.Pattern;

/** Durations as manifests write them: a whole number and one unit of s, m, h, d, w. */
final class SpecDuration {
  private static final Pattern TEXT = Pattern.compile("([1-9][0-9]{0,5})([smhdw])");

  private SpecDuration() {}

  static Duration parse(String text) {
    var parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is not a duration; write a whole number and one unit of s, m, h, d, w, such as 5m"
              .formatted(text));
    }
    long count = Long.parseLong(parts.group(1));
    return switch (parts.group(2)) {
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      case "d" -> Duration.ofDays(count);
      default -> Duration.ofDays(7 * count);
    };
  }
}
