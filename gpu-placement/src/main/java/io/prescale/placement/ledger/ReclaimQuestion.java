package io.prescale.placement.ledger;

import io.prescale.placement.inventory.PodFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is asked of the ledger for one round of taking back.
 *
 * @param noticed claims for which pods have their notice; they count even if they were not refused
 *     since this replica answers
 * @param suspended what a pod of suspended work looks like, by a key
 * @param bookings replicas that are expected
 */
public record ReclaimQuestion(
    Set<String> noticed, Map<String, PodFacts> suspended, List<Booking> bookings, Instant now) {
  public ReclaimQuestion {
    noticed = Set.copyOf(noticed);
    suspended = Map.copyOf(suspended);
    bookings = List.copyOf(bookings);
  }

  /** Asks about what waits, for no booking. */
  public static ReclaimQuestion ofClaims(Set<String> noticed, Map<String, PodFacts> suspended) {
    return new ReclaimQuestion(noticed, suspended, List.of(), Instant.EPOCH);
  }
}
