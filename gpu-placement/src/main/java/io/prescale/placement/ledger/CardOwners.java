package io.prescale.placement.ledger;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which node each card belongs to, by its UUID: the first that registers it. The others are its
 * rivals until that one has gone. Not thread-safe.
 */
final class CardOwners {
  private final Map<String, String> owners = new HashMap<>();
  private final Map<String, Set<String>> rivals = new HashMap<>();

  Optional<String> of(String uuid) {
    return Optional.ofNullable(owners.get(uuid));
  }

  /** The owner of a card that a node registers: that node, or the one that came before it. */
  String claim(String uuid, String node) {
    var owner = owners.computeIfAbsent(uuid, _ -> node);
    if (!owner.equals(node)) {
      rivals.computeIfAbsent(uuid, _ -> new HashSet<>()).add(node);
    }
    return owner;
  }

  /** Ends the ownership of a node's cards; returns the cards that other nodes register too. */
  Set<String> release(String node) {
    owners.values().removeIf(node::equals);
    var freed = new HashSet<String>();
    for (var rival : rivals.entrySet()) {
      rival.getValue().remove(node);
      if (!owners.containsKey(rival.getKey())) {
        freed.add(rival.getKey());
      }
    }
    return freed;
  }

  /** The nodes that wait for cards that were freed; those without an owner are waited for once. */
  Set<String> waitingFor(Set<String> freed) {
    var waiting = new HashSet<String>();
    for (var uuid : freed) {
      waiting.addAll(rivals.getOrDefault(uuid, Set.of()));
      if (!owners.containsKey(uuid)) {
        rivals.remove(uuid);
      }
    }
    return waiting;
  }
}
