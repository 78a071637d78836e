package io.prescale.placement.overcommit;

import java.util.List;
import java.util.stream.Stream;

/** Decides which shares may be on one card together. */
public sealed interface OvercommitRule permits ConstantFactor, BoundedRisk {

  /** Whether the card may hold all these shares. */
  boolean admits(List<MemoryUsage> shares, int cardMib);

  /**
   * The total memory that the card may promise: that of its shares plus the largest further share
   * of unknown usage that is still admitted. Never less than the card has.
   */
  default int promisableMib(List<MemoryUsage> shares, int cardMib) {
    long promised = shares.stream().mapToLong(MemoryUsage::limitMib).sum();
    int admitted = 0;
    int refused = Integer.MAX_VALUE;
    while (refused - admitted > 1) {
      int tried = (admitted + refused) >>> 1;
      if (admits(with(shares, MemoryUsage.unknown(tried)), cardMib)) {
        admitted = tried;
      } else {
        refused = tried;
      }
    }
    return (int) Math.max(cardMib, Math.min(promised + admitted, Integer.MAX_VALUE));
  }

  private static List<MemoryUsage> with(List<MemoryUsage> shares, MemoryUsage another) {
    return Stream.concat(shares.stream(), Stream.of(another)).toList();
  }
}
