package io.prescale.placement.consolidation;

import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.Placement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Moves pods away from unhealthy cards. */
record SickCards(Destinations destinations) {

  /** Adds the moves to a plan, pods with the most cards first; returns the pods that must stay. */
  List<Placement> evacuate(MoveState state) {
    List<Placement> stuck = new ArrayList<>();
    List<Placement> onSickCards =
        state
            .cluster()
            .nodes()
            .flatMap(node -> node.placements().stream().filter(pod -> isOnSickCard(node, pod)))
            .sorted(Comparator.comparingInt((Placement pod) -> -pod.shares().size()))
            .toList();
    for (Placement pod : onSickCards) {
      Optional<Placement> to =
          state.movesLeft() > 0 && state.mayMove(pod)
              ? destinations.tightest(state.nodesFor(pod.request()), pod.request())
              : Optional.empty();
      if (to.isPresent()) {
        state.move(pod, to.get(), Move.Reason.SICK_CARD, 0);
      } else {
        stuck.add(pod);
      }
    }
    return stuck;
  }

  private static boolean isOnSickCard(GpuNode node, Placement pod) {
    return pod.shares().stream()
        .anyMatch(share -> node.gpu(share.card()).health().state() == GpuHealth.State.UNHEALTHY);
  }
}
