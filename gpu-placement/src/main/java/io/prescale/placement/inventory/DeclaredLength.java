package io.prescale.placement.inventory;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * For how long a pod runs at most, as it says itself.
 *
 * @param length from its start
 * @param start when it started, if it has
 */
public record DeclaredLength(Duration length, Optional<Instant> start) {
  public DeclaredLength {
    if (!length.isPositive()) {
      throw new IllegalArgumentException("a length of %s; give more than 0".formatted(length));
    }
  }

  /**
   * When it ends, if it starts now at the latest; empty once it has outlived its word, since then
   * it may take any time.
   */
  public Optional<Instant> end(Instant now) {
    return Optional.of(start.orElse(now).plus(length)).filter(now::isBefore);
  }
}
