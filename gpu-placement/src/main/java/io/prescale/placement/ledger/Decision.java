package io.prescale.placement.ledger;

import io.prescale.placement.cluster.Placement;
import io.prescale.placement.inventory.Family;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodDevices;
import io.prescale.placement.inventory.PodFacts;
import java.util.Optional;

/** The decision about a pod on the node that the scheduler has chosen. */
public sealed interface Decision {

  /**
   * The pod can be bound; its devices are held until it is observed on its node, or the caller
   * reports a failure.
   *
   * @param cards the chosen cards; empty where the kubelet chooses
   */
  record Bind(PodFacts pod, String node, Optional<Chosen> cards) implements Decision {}

  /** The chosen cards. */
  record Chosen(Family family, PodDevices devices) {
    static Optional<Chosen> of(PodDemand demand, Optional<Placement> placement) {
      return demand instanceof PodDemand.Cards cards
          ? placement.map(place -> new Chosen(cards.family(), cards.devices(place.shares())))
          : Optional.empty();
    }
  }

  /** The pod cannot be bound, with a sentence why; nothing is held. */
  record Refused(String sentence) implements Decision {}
}
