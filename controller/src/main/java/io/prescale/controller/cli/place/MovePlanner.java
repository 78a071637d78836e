package io.prescale.controller.cli.place;

import io.prescale.controller.place.PodRow;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.consolidation.Consolidator;
import io.prescale.placement.consolidation.MoveRules;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import java.util.List;
import java.util.Optional;

/** Plans moves of the running pods of a file. */
final class MovePlanner {
  private final Consolidator consolidator = new Consolidator(new LinkedCards());
  private final ClusterSnapshot cluster;
  private final MoveRules rules;

  MovePlanner(ClusterSnapshot cluster, List<PodRow> pods, int mostMoves) {
    this.cluster = cluster;
    rules = MoveRules.atMost(mostMoves).withGangMinimum(PodRow.gangMinimum(pods));
  }

  PlaceMoves againstFragmentation(Fragmentation fragmentation) {
    return new PlaceMoves(
        consolidator.lowerFragmentation(cluster, fragmentation, rules), Optional.empty());
  }

  PlaceMoves makingRoom(GpuRequest wanted) {
    return new PlaceMoves(
        consolidator.freeShape(cluster, wanted, rules), Optional.of(wanted.name()));
  }
}
