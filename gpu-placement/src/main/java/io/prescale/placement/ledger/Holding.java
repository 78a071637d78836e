package io.prescale.placement.ledger;

import io.prescale.placement.cluster.Placement;
import io.prescale.placement.inventory.PodFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a pod holds of a node.
 *
 * @param placement on cards that we know one by one
 * @param units devices that are only counted
 * @param ranked the nodes on the shortlist, only while it is assumed
 * @param until when it expires
 * @param problems one sentence for each part of its record that could not be counted
 */
record Holding(
    PodFacts pod,
    String node,
    Optional<Placement> placement,
    Map<String, Long> units,
    State state,
    Ranked ranked,
    Instant until,
    List<String> problems) {

  /** How far the pod has come. */
  enum State {
    /** The scheduler was offered the node and has not chosen yet. */
    ASSUMED,
    /** Its binding to the node failed; the place is kept in case that no other node has one. */
    FAILED,
    /** The pod is being bound, or was bound and has not been observed on its node yet. */
    BINDING,
    /** The pod was observed on its node. */
    SEEN
  }

  Holding {
    units = Map.copyOf(units);
    problems = List.copyOf(problems);
  }

  /** Whether the pod is neither bound nor being bound. */
  boolean isAssumed() {
    return state == State.ASSUMED || state == State.FAILED;
  }

  Holding with(State newState, Instant newUntil) {
    return new Holding(pod, node, placement, units, newState, ranked, newUntil, problems);
  }
}
