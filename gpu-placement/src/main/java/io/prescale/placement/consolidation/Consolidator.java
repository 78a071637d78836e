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

/** Plans which running pods to move where, those on sick cards first. Not thread-safe. */
public final class Consolidator {
  private final Filter filter;
  private final Placing placing;
  private final Destinations destinations;

  public Consolidator(LinkedCards linkedCards) {
    filter = new Filter(linkedCards);
    placing = new Placing(filter, linkedCards);
    destinations = new Destinations(filter, placing);
  }

  /** Plans only moves away from sick cards. */
  public MovePlan evacuate(ClusterSnapshot cluster, MoveRules rules) {
    MoveState state = new MoveState(cluster, rules);
    List<Placement> stuck = new SickCards(destinations).evacuate(state);
    return new MovePlan(state.moves(), Optional.empty(), stuck);
  }

  /** Plans as few moves as can be found to make room for a request, none for it if impossible. */
  public MovePlan freeShape(ClusterSnapshot cluster, GpuRequest wanted, MoveRules rules) {
    MoveState state = new MoveState(cluster, rules);
    List<Placement> stuck = new SickCards(destinations).evacuate(state);
    Optional<Placement> target =
        new ShapePlanner(filter, placing, destinations, state).free(wanted, state.movesLeft());
    return new MovePlan(state.moves(), target, stuck);
  }

  /** Plans single moves that lower fragmentation most; where none does, drains a node. */
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
