package io.prescale.placement.ledger;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the ledger knows for moves, at one moment.
 *
 * @param held what pods have on cards that are known one by one
 * @param wanting pods for which there is no room, and that no queue holds back
 * @param waiting the UIDs of all pods that are not bound
 * @param sick cards by UUID, by their exporter or their device plugin
 * @param kept cards by UUID that are kept for claims and bookings
 * @param workload by which fragmentation is measured
 */
public record MoveFacts(
    ClusterSnapshot cluster,
    List<Held> held,
    List<Wanting> wanting,
    Set<String> waiting,
    Set<String> sick,
    Set<String> kept,
    TargetWorkload workload) {
  public MoveFacts {
    held = List.copyOf(held);
    wanting = List.copyOf(wanting);
    waiting = Set.copyOf(waiting);
    sick = Set.copyOf(sick);
    kept = Set.copyOf(kept);
  }

  /**
   * A pod that has cards.
   *
   * @param shape what it asks for
   * @param mayReturn whether its queue would let it have as much again
   */
  public record Held(PodFacts pod, RequestShape shape, Optional<Group> gang, boolean mayReturn) {}

  /**
   * A pod that waits.
   *
   * @param nodes that the scheduler considers for it
   */
  public record Wanting(PodFacts pod, RequestShape shape, Set<String> nodes) {}
}
