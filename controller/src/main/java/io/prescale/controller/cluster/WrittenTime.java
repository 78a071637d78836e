package io.prescale.controller.cluster;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Times as objects have them, which others may have written. */
public final class WrittenTime {
  private WrittenTime() {}

  /** A time in RFC 3339; empty if there is none, or one that cannot be read. */
  public static Optional<Instant> read(@Nullable String text) {
    try {
      return text == null ? Optional.empty() : Optional.of(Instant.parse(text));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }
}
