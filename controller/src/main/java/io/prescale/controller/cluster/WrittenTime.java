package io.prescale.controller.cluster;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Times as objects have them, which others may have written. */
public final class WrittenTime {
  /** Years have four digits in RFC 3339; computing with others might fail. */
  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");

  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  private WrittenTime() {}

  /** A time in RFC 3339; empty if there is none, or one that cannot be read. */
  public static Optional<Instant> read(@Nullable String text) {
    try {
      return Optional.ofNullable(text)
          .map(Instant::parse)
          .filter(time -> !time.isBefore(FIRST) && time.isBefore(END));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }
}
