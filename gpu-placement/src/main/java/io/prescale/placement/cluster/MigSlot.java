package io.prescale.placement.cluster;

import io.prescale.placement.mig.MigProfile;

/**
 * A MIG instance and its place on a card.
 *
 * @param profile such as {@code 1g.10gb}
 * @param start first memory slice that it covers
 * @param size number of memory slices that it covers
 */
public record MigSlot(String profile, int start, int size) {
  public MigSlot {
    if (start < 0 || size < 1 || start + size > MigProfile.MOST_SLICES) {
      throw new IllegalArgumentException(
          "a MIG instance covers slices within 0..15, not " + size + " from " + start);
    }
  }

  /** The covered slices, one bit each. */
  public int mask() {
    return ((1 << size) - 1) << start;
  }
}
