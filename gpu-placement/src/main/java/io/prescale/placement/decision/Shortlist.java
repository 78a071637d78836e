package io.prescale.placement.decision;

import io.prescale.placement.cluster.Placement;
import io.prescale.placement.decision.PlacementResult.NodeRefusal;
import java.util.List;

/**
 * Several places for one request.
 *
 * @param places the best first; none when the request fits no node
 * @param fitting on how many nodes it fits
 * @param refusals of every node, when it fits none
 */
public record Shortlist(List<Placement> places, int fitting, List<NodeRefusal> refusals) {
  public Shortlist {
    places = List.copyOf(places);
    refusals = List.copyOf(refusals);
  }
}
