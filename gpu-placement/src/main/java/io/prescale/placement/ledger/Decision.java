package io.prescale.placement.ledger;

import io.prescale.placement.inventory.Family;
import io.prescale.placement.inventory.PodDevices;
import io.prescale.placement.inventory.PodFacts;
import java.util.Optional;

/** What becomes of a pod on the node that the scheduler has chosen. */
public sealed interface Decision {

  /**
   * It can be bound; its devices are held for it until the ledger is told how that went.
   *
   * @param cards which cards, where we choose them; empty where the kubelet does
   */
  record Bind(PodFacts pod, String node, Optional<Chosen> cards) implements Decision {}

  /** Cards that we chose. */
  record Chosen(Family family, PodDevices devices) {}

  /** It cannot, with a sentence why; nothing is held. */
  record Refused(String sentence) implements Decision {}
}
