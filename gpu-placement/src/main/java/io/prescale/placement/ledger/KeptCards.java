package io.prescale.placement.ledger;

import java.util.Set;

/**
 * Cards that are kept for a claim for which other pods give theirs back.
 *
 * @param pods UIDs of the pods that may be placed on them
 * @param uuids of the cards
 */
public record KeptCards(Set<String> pods, Set<String> uuids) {
  public KeptCards {
    pods = Set.copyOf(pods);
    uuids = Set.copyOf(uuids);
  }
}
