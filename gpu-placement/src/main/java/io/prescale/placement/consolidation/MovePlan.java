package io.prescale.placement.consolidation;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Placement;
import java.util.List;
import java.util.Optional;

/**
 * Moves in the order in which they are to be made. After each of them the cluster is as sound as
 * before: everything has a place, and nothing waits for a later move.
 *
 * @param moves work of sick cards first
 * @param target where the wanted shape fits after the last move; empty when none was wanted or it
 *     cannot be freed
 * @param stuck work of sick cards that may not be moved or has nowhere to go
 */
public record MovePlan(List<Move> moves, Optional<Placement> target, List<Placement> stuck) {
  public MovePlan {
    moves = List.copyOf(moves);
    stuck = List.copyOf(stuck);
  }

  /** The GPU whose work is interrupted, in thousandths. */
  public long costMilli() {
    return moves.stream().mapToLong(Move::costMilli).sum();
  }

  /** By how much the fragmentation is lowered, in thousandths of a GPU. */
  public long gainMilli() {
    return moves.stream().mapToLong(Move::gainMilli).sum();
  }

  /** The cluster after the first moves of the plan. */
  public ClusterSnapshot after(ClusterSnapshot cluster, int firstMoves) {
    ClusterSnapshot now = cluster;
    for (Move move : moves.subList(0, firstMoves)) {
      now = now.without(move.from()).with(move.to());
    }
    return now;
  }
}
