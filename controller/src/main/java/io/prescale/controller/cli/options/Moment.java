package io.prescale.controller.cli.options;

import io.prescale.controller.cli.terminal.DurationText;
import io.prescale.controller.input.Excerpt;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A time as an option gives it, possibly relative to the time zone or to now: {@code
 * 2026-11-27T08:00:00Z}, {@code 2026-11-27T08:00}, {@code 2026-11-27}, {@code 1795766400}, {@code
 * 14d} (ago), {@code now}.
 */
public sealed interface Moment {

  Instant resolve(Instant now, ZoneId zone);

  /** An absolute time. */
  record At(Instant instant) implements Moment {
    @Override
    public Instant resolve(Instant now, ZoneId zone) {
      return instant;
    }
  }

  /** A local time in the zone. */
  record Local(LocalDateTime time) implements Moment {
    @Override
    public Instant resolve(Instant now, ZoneId zone) {
      return time.atZone(zone).toInstant();
    }
  }

  /** A duration before now. */
  record Ago(Duration duration) implements Moment {
    @Override
    public Instant resolve(Instant now, ZoneId zone) {
      return now.minus(duration);
    }
  }

  Pattern UNIX_SECONDS = Pattern.compile("\\d{9,11}");

  DateTimeFormatter FORMAT =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendLiteral('T')
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .appendOffsetId()
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  static Moment parse(String text) {
    if (text.equals("now")) {
      return new Ago(Duration.ZERO);
    }
    if (DurationText.matches(text)) {
      return new Ago(DurationText.parse(text));
    }
    try {
      return fixed(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          e.getMessage() + "; or say how long ago, such as 10m or 14d", e);
    }
  }

  /** Parses all forms but those relative to now. */
  static Moment fixed(String text) {
    if (UNIX_SECONDS.matcher(text).matches()) {
      return new At(Instant.ofEpochSecond(Long.parseLong(text)));
    }
    try {
      var time = FORMAT.parseBest(text, OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
      return switch (time) {
        case OffsetDateTime offset -> new At(offset.toInstant());
        case LocalDateTime local -> new Local(local);
        default -> new Local(LocalDate.from(time).atStartOfDay());
      };
    } catch (DateTimeException _) {
      throw new IllegalArgumentException(
          "%s is not a time; write one such as 2026-11-27T08:00:00Z, 2026-11-27T08:00 or 2026-11-27, or Unix seconds"
              .formatted(Excerpt.quoted(text)));
    }
  }
}
