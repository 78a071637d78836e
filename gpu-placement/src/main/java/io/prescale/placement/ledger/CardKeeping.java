package io.prescale.placement.ledger;

import io.prescale.placement.inventory.PodFacts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Knows which cards are kept for which pods. Not thread-safe. */
final class CardKeeping {
  private final Nominations nominations;
  private List<KeptCards> forClaims = List.of();
  private List<KeptCards> forMoves = List.of();
  private List<KeptCards> all = List.of();

  CardKeeping(Nominations nominations) {
    this.nominations = nominations;
  }

  /**
   * Replaces what is kept for claims and bookings.
   *
   * @return the cards that are no longer kept
   */
  Set<String> replace(Collection<KeptCards> now) {
    forClaims = List.copyOf(now);
    return combine();
  }

  /**
   * Replaces what is kept for moves.
   *
   * @return the cards that are no longer kept
   */
  Set<String> replaceForMoves(Collection<KeptCards> now) {
    forMoves = List.copyOf(now);
    return combine();
  }

  /** A pod that was evicted for a place gets it, whatever has been claimed since. */
  private Set<String> combine() {
    var freed = uuids(all);
    var places = placesOfMoves();
    var now = new ArrayList<>(forMoves);
    forClaims.forEach(each -> now.add(each.without(places)));
    all = List.copyOf(now);
    freed.removeAll(uuids(all));
    return freed;
  }

  private static Set<String> uuids(List<KeptCards> kept) {
    var uuids = new HashSet<String>();
    kept.forEach(each -> uuids.addAll(each.uuids()));
    return uuids;
  }

  /** The cards on which a pod may not be placed. */
  Set<String> forOthersThan(PodFacts pod) {
    var closed = closedTo(pod);
    var needed = nominations.before(pod, this::closedTo);
    if (needed.isEmpty()) {
      return closed;
    }
    var cards = new HashSet<>(closed);
    cards.addAll(needed);
    return cards;
  }

  private Set<String> closedTo(PodFacts pod) {
    return all.isEmpty() ? Set.of() : uuids(all.stream().filter(each -> !each.admit(pod)).toList());
  }

  /** The cards that are a pod's place, while there is room for it; else none. */
  Set<String> placeOf(PodFacts pod) {
    return forMoves.isEmpty()
        ? Set.of()
        : uuids(forMoves.stream().filter(each -> each.isTheirPlace() && each.areFor(pod)).toList());
  }

  /** Whether cards are kept for a pod. */
  boolean isFor(PodFacts pod) {
    return all.stream().anyMatch(each -> each.areFor(pod));
  }

  /** Whether others give cards back for a pod, or cards are booked for it. */
  boolean isForClaimOf(PodFacts pod) {
    return forClaims.stream().anyMatch(each -> each.areFor(pod));
  }

  /** The cards that are booked for the replacements of pods that move. */
  Set<String> placesOfMoves() {
    return uuids(forMoves.stream().filter(KeptCards::isTheirPlace).toList());
  }

  /** The cards that are kept for claims and bookings. */
  Set<String> forClaims() {
    return uuids(forClaims);
  }
}
