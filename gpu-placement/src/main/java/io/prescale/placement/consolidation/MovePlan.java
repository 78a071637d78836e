package io.prescale.placement.consolidation;

import io.prescale.placement.cluster.Placement;
import java.util.List;
import java.util.Optional;

/**
 * Moves in the order in which to make them. After each move the cluster is consistent: every pod
 * has a place, and none waits for a later move.
 *
 * @param moves pods on sick cards first
 * @param target place for the wanted shape after the last move; empty when none was wanted or none
 *     can be freed
 * @param stuck pods on sick cards that may not be moved or fit nowhere else
 */
public record MovePlan(List<Move> moves, Optional<Placement> target, List<Placement> stuck) {
  public MovePlan {
    moves = List.copyOf(moves);
    stuck = List.copyOf(stuck);
  }

  /** The GPU that is interrupted, in thousandths of a card. */
  public long costMilli() {
    return moves.stream().mapToLong(Move::costMilli).sum();
  }

  /** By how much the plan lowers fragmentation, in thousandths of a GPU. */
  public long gainMilli() {
    return moves.stream().mapToLong(Move::gainMilli).sum();
  }
}
