package io.prescale.placement.decision;

import io.prescale.placement.cluster.Placement;
import io.prescale.placement.decision.PlacementResult.NodeRefusal;
import java.util.List;

/**
 * The best places for one request.
 *
 * @param places the best first; none when the request fits no node
 * @param refusals refusals of all nodes, when it fits none
 */
public record Shortlist(List<Placement> places, List<NodeRefusal> refusals) {
  public Shortlist {
    places = List.copyOf(places);
    refusals = List.copyOf(refusals);
  }
}
