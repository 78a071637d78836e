package io.prescale.placement.moves;

import io.prescale.placement.cluster.Placement;
import io.prescale.placement.consolidation.Consolidator;
import io.prescale.placement.consolidation.Move;
import io.prescale.placement.consolidation.MovePlan;
import io.prescale.placement.consolidation.MoveRules;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Has the library plan moves for what a round sees. */
final class MovePlanner {
  /** More interruptions are not worth the room of one pod. */
  static final int MOST_MOVES = 8;

  private final MoveView view;
  private final Ground ground;
  private final Consolidator consolidator = new Consolidator(new LinkedCards());

  MovePlanner(MoveView view, Ground ground) {
    this.view = view;
    this.ground = ground;
  }

  private MoveRules rules() {
    return MoveRules.atMost(Math.min(MOST_MOVES, view.terms().left()))
        .withGangMinimum(view.gangMinimum());
  }

  /** Moves off cards that have been sick for long enough. */
  List<Move> offSickCards() {
    return consolidator.evacuate(ground.cluster(), rules().withNodes(view.nodes())).moves();
  }

  /**
   * Moves that make room for a pod; empty if none do, or none have to. Pods of a higher priority
   * stay where they are.
   */
  Optional<MovePlan> roomFor(WantingPod wanted) {
    var nodes = new HashMap<>(view.nodes());
    ground
        .cluster()
        .placements()
        .map(Placement::request)
        .filter(it -> it.standing().priority() > wanted.request().standing().priority())
        .forEach(it -> nodes.put(it.name(), Set.of()));
    nodes.put(wanted.uid(), wanted.nodes());
    var plan = consolidator.freeShape(ground.cluster(), wanted.request(), rules().withNodes(nodes));
    return plan.target().isPresent() && isOnly(plan.moves(), Move.Reason.MAKES_WAY)
        ? Optional.of(plan)
        : Optional.empty();
  }

  /** Moves that lower fragmentation. */
  List<Move> againstFragments() {
    var fragmentation = new Fragmentation(view.workload());
    var moves =
        consolidator
            .lowerFragmentation(ground.cluster(), fragmentation, rules().withNodes(view.nodes()))
            .moves();
    return isOnly(moves, Move.Reason.DEFRAGMENTS) ? moves : List.of();
  }

  private static boolean isOnly(List<Move> moves, Move.Reason reason) {
    return !moves.isEmpty() && moves.stream().allMatch(move -> move.reason() == reason);
  }

  /** Whether a planned move can still be made. */
  boolean isPossible(Move move) {
    var uid = move.from().request().name();
    var pod = view.residents().get(uid);
    return pod != null
        && ground.mayMove(pod)
        && ground
            .placeOf(uid)
            .filter(place -> place.node().equals(move.from().node()))
            .filter(place -> place.uuids().equals(move.from().uuids()))
            .isPresent()
        && ground.fits(pod, move.to().node(), move.to().uuids());
  }
}
