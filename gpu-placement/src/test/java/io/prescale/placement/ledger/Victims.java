package io.prescale.placement.ledger;

import io.prescale.placement.inventory.PodFacts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a ledger answers about victims on one node. */
final class Victims {
  private Victims() {}

  /** Their UIDs; empty if the pod does not fit the node even without them. */
  static Optional<List<String>> on(
      Ledger ledger, PodFacts pod, String node, List<String> given, Set<String> giving) {
    var found = ledger.victims(pod, Map.of(node, given), giving);
    return Optional.ofNullable(found.get(node));
  }
}
