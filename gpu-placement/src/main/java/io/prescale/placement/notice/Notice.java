package io.prescale.placement.notice;

import java.time.Instant;

/**
 * The notice of a pod that is to give its cards back.
 *
 * @param claim that needs them: the key of a {@link Claimant}
 * @param at when it has run out
 */
public record Notice(String claim, Instant at) {
  public Notice {
    if (claim.isBlank()) {
      throw new IllegalArgumentException("a notice names no claim; name the one that needs it");
    }
  }

  /** Whether it has run out. */
  public boolean isOver(Instant now) {
    return !at.isAfter(now);
  }
}
