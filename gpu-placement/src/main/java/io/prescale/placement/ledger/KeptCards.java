package io.prescale.placement.ledger;

import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodSelector;
import java.util.Optional;
import java.util.Set;

/**
 * Cards that are kept for a claim for which other pods give theirs back, or for a booking.
 *
 * @param pods UIDs of the pods that may be placed on them
 * @param selector of further such pods, which may not exist yet
 * @param uuids of the cards
 */
public record KeptCards(Set<String> pods, Optional<PodSelector> selector, Set<String> uuids) {
  public KeptCards {
    pods = Set.copyOf(pods);
    uuids = Set.copyOf(uuids);
  }

  /** Cards that are kept for some pods. */
  public KeptCards(Set<String> pods, Set<String> uuids) {
    this(pods, Optional.empty(), uuids);
  }

  /** Whether a pod may be placed on them. */
  boolean areFor(PodFacts pod) {
    return pods.contains(pod.uid()) || selector.filter(it -> it.matches(pod)).isPresent();
  }
}
