package io.prescale.placement.claims;

import io.prescale.placement.cluster.Placement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Cards reserved for claims that were decided and have not been observed yet, one for each pod. Not
 * thread-safe.
 */
final class Reservations {
  /** A new claim is observed within seconds; the limit is for one that never is. */
  static final Duration LONGEST = Duration.ofSeconds(60);

  private final CardStock stock;
  private final ClaimHoldings holdings;
  private final Map<String, Reservation> byPod = new HashMap<>();

  Reservations(CardStock stock, ClaimHoldings holdings) {
    this.stock = stock;
    this.holdings = holdings;
  }

  private record Reservation(Claim.Key claim, Instant until) {}

  boolean has(String pod) {
    return byPod.containsKey(pod);
  }

  /** Reserves a place for a pod's claim. */
  void reserve(String pod, Claim.Key claim, Placement placement, Instant now) {
    stock.place(claim, placement);
    byPod.put(pod, new Reservation(claim, now.plus(LONGEST)));
  }

  /** Ends a reservation because its claim exists and holds the cards itself. */
  void observed(String pod, Claim.Key claim) {
    byPod.computeIfPresent(pod, (_, known) -> known.claim().equals(claim) ? null : known);
  }

  /** Releases what is reserved for a pod. */
  void release(String pod) {
    var known = byPod.remove(pod);
    if (known != null && holdings.find(known.claim()).isEmpty()) {
      stock.take(known.claim());
    }
  }

  /** Releases the cards, but lets the pod wait until it may be retried. */
  void backOff(String pod, Instant until) {
    var known = byPod.get(pod);
    if (known != null) {
      release(pod);
      byPod.put(pod, new Reservation(known.claim(), until));
    }
  }

  /** Releases what is overdue. */
  void expire(Instant now) {
    byPod.entrySet().stream()
        .filter(entry -> entry.getValue().until().isBefore(now))
        .map(Map.Entry::getKey)
        .toList()
        .forEach(this::release);
  }
}
