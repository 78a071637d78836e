package io.prescale.placement.consolidation;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.filter.Filter;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.vacancy.Placing;
import java.util.List;
import java.util.Optional;

/**
 * Plans which running pods to move where. Work of sick cards moves first in every plan. For one
 * thread.
 */
public final class Consolidator {
  private final Filter filter;
  private final Placing placing;
  private final Destinations destinations;

  public Consolidator(LinkedCards linkedCards) {
    filter = new Filter(linkedCards);
    placing = new Placing(filter, linkedCards);
    destinations = new Destinations(filter, placing);
  }

  /** Only moves work away from sick cards. */
  public MovePlan evacuate(ClusterSnapshot cluster, MoveRules rules) {
    MoveState state = new MoveState(cluster, rules);
    List<Placement> stuck = new SickCards(destinations).evacuate(state);
    return new MovePlan(state.moves(), Optional.empty(), stuck);
  }

  /**
   * Makes room for a request with as few moves as can be found; nothing more is moved than that,
   * and nothing at all for it when no room can be made.
   */
  public MovePlan freeShape(ClusterSnapshot cluster, GpuRequest wanted, MoveRules rules) {
    MoveState state = new MoveState(cluster, rules);
    List<Placement> stuck = new SickCards(destinations).evacuate(state);
    Optional<Placement> target =
        new ShapePlanner(filter, placing, destinations, state).free(wanted, state.movesLeft());
    return new MovePlan(state.moves(), target, stuck);
  }

  /**
   * Lowers the fragmentation: by the single moves that gain most, and where none gains, by moving
   * everything off a node.
   */
  public MovePlan lowerFragmentation(
      ClusterSnapshot cluster, Fragmentation fragmentation, MoveRules rules) {
    MoveState state = new MoveState(cluster, rules);
    List<Placement> stuck = new SickCards(destinations).evacuate(state);
    FragmentationPlanner moves = new FragmentationPlanner(fragmentation, filter, placing, state);
    NodeDrain nodes = new NodeDrain(fragmentation, destinations, state);
    boolean isLower = true;
    while (isLower) {
      isLower = moves.lower() || nodes.drain();
    }
    return new MovePlan(state.moves(), Optional.empty(), stuck);
  }
}
