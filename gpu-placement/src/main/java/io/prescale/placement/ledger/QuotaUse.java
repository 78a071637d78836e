package io.prescale.placement.ledger;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** By which right a queue has its cards, and so each of its pods. */
public enum QuotaUse {
  /** It has no more than its guarantee, so that none of its pods is taken back. */
  GUARANTEED("Guaranteed"),
  /** It has more; any of its pods may be taken back until it has its guarantee. */
  OVER_QUOTA("OverQuota");

  private final String word;

  QuotaUse(String word) {
    this.word = word;
  }

  /** How it is written on pods. */
  public String word() {
    return word;
  }

  /** What is known of pods; those of which nothing is known are left out. */
  static Map<String, QuotaUse> of(
      Collection<String> uids, Function<String, Optional<QuotaUse>> useOf) {
    var known = new HashMap<String, QuotaUse>();
    uids.forEach(uid -> useOf.apply(uid).ifPresent(use -> known.put(uid, use)));
    return known;
  }
}
