package io.prescale.placement.claims;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The claims of the cluster, by name and by pod; what each holds or is pinned to is placed in the
 * stock. For one thread at a time.
 */
final class ClaimHoldings {
  private final CardStock stock;
  private final Map<Claim.Key, Claim> claims = new HashMap<>();
  private final Map<String, Set<Claim.Key>> claimsOf = new HashMap<>();

  /** Claims on cards that are not known now. */
  private final Set<Claim.Key> unplaced = new HashSet<>();

  ClaimHoldings(CardStock stock) {
    this.stock = stock;
  }

  Optional<Claim> find(Claim.Key key) {
    return Optional.ofNullable(claims.get(key));
  }

  /** The claims that were made for a pod, by the name that it gives its claim. */
  List<Claim> of(ClaimPod pod) {
    return claimsOf.getOrDefault(pod.uid(), Set.of()).stream()
        .sorted(Comparator.comparing(Claim.Key::name))
        .flatMap(key -> find(key).stream())
        .filter(claim -> claim.podClaim().equals(pod.claim()))
        .toList();
  }

  /** The UID of the pod that a claim was made for, by the claim's full name; may be empty. */
  Map<String, String> owners() {
    var owners = new HashMap<String, String>();
    claims.forEach((key, claim) -> owners.put(key.toString(), claim.owner().orElse("")));
    return owners;
  }

  /** Records a claim. */
  void put(Claim claim) {
    remove(claim.key());
    claims.put(claim.key(), claim);
    claim
        .owner()
        .ifPresent(pod -> claimsOf.computeIfAbsent(pod, _ -> new HashSet<>()).add(claim.key()));
    place(claim.key());
  }

  /** Removes a claim that is gone. */
  void remove(Claim.Key key) {
    Optional.ofNullable(claims.remove(key))
        .flatMap(Claim::owner)
        .ifPresent(
            pod ->
                claimsOf.computeIfPresent(
                    pod, (_, keys) -> keys.remove(key) && keys.isEmpty() ? null : keys));
    unplaced.remove(key);
    stock.take(key);
  }

  /** Reads the cards of nodes again and places the claims on them anew. */
  void readCards(Set<String> nodes) {
    var touched = stock.list(nodes);
    var again = stock.on(touched);
    again.addAll(unplaced);
    again.forEach(stock::take);
    touched.forEach(stock::build);
    again.forEach(this::place);
  }

  /** A claim that is only reserved is placed again when it is observed. */
  private void place(Claim.Key key) {
    var claim = claims.get(key);
    if (claim == null) {
      return;
    }
    var placement = stock.placement(claim);
    placement.ifPresent(found -> stock.place(key, found));
    if (placement.isEmpty() && (claim.isAllocated() || claim.pin().isPresent())) {
      unplaced.add(key);
    } else {
      unplaced.remove(key);
    }
  }
}
