package io.prescale.placement.topology;

import java.util.Comparator;
import java.util.Optional;

/**
 * HAMi's {@code topology-aware} choice, for comparison: the set with the greatest sum of pair
 * scores, the first of equals; for one card, the card with the least sum to the other candidates.
 * Source: Project-HAMi/HAMi, {@code pkg/device/nvidia/device.go}.
 */
record HamiRule(LinkMatrix links) {
  Optional<CardSet> best(CardSet free, int count) {
    if (count > free.size()) {
      return Optional.empty();
    }
    if (count == 1) {
      return free.cards()
          .boxed()
          .min(Comparator.comparingInt(card -> links.scoreTo(card, free.bits())))
          .map(CardSet::of);
    }
    CardSet best = CardSet.NONE;
    for (int bits = free.bits(); bits > 0; bits = (bits - 1) & free.bits()) {
      CardSet set = new CardSet(bits);
      if (set.size() == count
          && (best.isEmpty()
              || links.score(set) > links.score(best)
              || (links.score(set) == links.score(best) && isBefore(set, best)))) {
        best = set;
      }
    }
    return Optional.of(best);
  }

  private static boolean isBefore(CardSet set, CardSet other) {
    return (set.bits() & Integer.lowestOneBit(set.bits() ^ other.bits())) != 0;
  }
}
