package io.prescale.placement.claims;

import io.prescale.placement.cluster.Placement;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The claims of the cluster, by name and by pod; what each holds or is pinned to is placed in the
 * stock. All users who may create claims can write a pin, so one counts only for a pod that waits
 * for it. Not thread-safe.
 */
final class ClaimHoldings {
  private final CardStock stock;
  private final Map<Claim.Key, Claim> claims = new HashMap<>();
  private final Map<String, Set<Claim.Key>> claimsOf = new HashMap<>();
  private final Map<String, ClaimPod> pods = new HashMap<>();

  /** Claims on cards that are not known now. */
  private final Set<Claim.Key> unplaced = new HashSet<>();

  ClaimHoldings(CardStock stock) {
    this.stock = stock;
  }

  Optional<Claim> find(Claim.Key key) {
    return Optional.ofNullable(claims.get(key));
  }

  /** Records the newest state of a pod; its pinned claims count now. */
  void put(ClaimPod pod) {
    if (!pod.equals(pods.put(pod.uid(), pod))) {
      placeAnew(pod.uid());
    }
  }

  /** Removes a pod that is gone. */
  void removePod(String uid) {
    if (pods.remove(uid) != null) {
      placeAnew(uid);
    }
  }

  private void placeAnew(String pod) {
    for (var key : claimsOf.getOrDefault(pod, Set.of())) {
      stock.take(key);
      place(key);
    }
  }

  /**
   * Whether a pod waits for a pinned claim: for its current one or, until it is bound, for one more
   * that is to replace it. Pins to more cards than the claim requests are not ours.
   */
  private boolean isAwaited(Claim claim) {
    var pod = claim.owner().map(pods::get).orElse(null);
    if (pod == null || !fits(claim)) {
      return false;
    }
    var current = pod.current().map(name -> new Claim.Key(pod.namespace(), name));
    var next =
        of(pod).stream()
            .filter(other -> other.pin().isPresent() && !current.equals(Optional.of(other.key())))
            .findFirst();
    return current.equals(Optional.of(claim.key()))
        || (!pod.bound() && next.filter(claim::equals).isPresent());
  }

  private static boolean fits(Claim claim) {
    int cards = claim.pin().map(pin -> pin.uuids().size()).orElse(0);
    return cards <= claim.request().map(Claim.Request::count).orElse(0);
  }

  /** The claims that were made for a pod, by the name that it gives its claim. */
  List<Claim> of(ClaimPod pod) {
    return claimsOf.getOrDefault(pod.uid(), Set.of()).stream()
        .sorted(Comparator.comparing(Claim.Key::name))
        .flatMap(key -> find(key).stream())
        .filter(claim -> claim.key().namespace().equals(pod.namespace()))
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
    claim.owner().ifPresentOrElse(this::placeAnew, () -> place(claim.key()));
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

  /** Reads the cards of nodes again and places the claims and reservations on them anew. */
  void readCards(Set<String> nodes) {
    var touched = stock.list(nodes);
    var again = stock.on(touched);
    again.addAll(unplaced);
    var reserved = new HashMap<Claim.Key, Placement>();
    for (var key : again) {
      stock.take(key).filter(_ -> find(key).isEmpty()).ifPresent(it -> reserved.put(key, it));
    }
    touched.forEach(stock::build);
    again.forEach(this::place);
    reserved.forEach((key, before) -> stock.again(before).ifPresent(it -> stock.place(key, it)));
  }

  /** A claim that is only reserved is placed again when it is observed. */
  private void place(Claim.Key key) {
    var claim = claims.get(key);
    if (claim == null) {
      return;
    }
    boolean counts = claim.isAllocated() || isAwaited(claim);
    var placement = counts ? stock.placement(claim) : Optional.<Placement>empty();
    placement.ifPresent(found -> stock.place(key, found));
    if (placement.isEmpty() && counts) {
      unplaced.add(key);
    } else {
      unplaced.remove(key);
    }
  }
}
