package io.prescale.placement.consolidation;

import io.prescale.placement.cluster.Placement;

/**
 * The move of one pod. Its new place is free while the old one is still held, so the pod may start
 * there before it stops here.
 *
 * @param reason why it moves
 * @param costMilli the GPU that is interrupted, in thousandths of a card
 * @param gainMilli by how much this move lowers fragmentation, in thousandths of a GPU, rounded; 0
 *     when the plan does not measure it; may be 0 or negative for moves that only pay together with
 *     later ones
 */
public record Move(Placement from, Placement to, Reason reason, long costMilli, long gainMilli) {

  /** Why a pod moves. */
  public enum Reason {
    /** Its card is unhealthy. */
    SICK_CARD,
    /** It makes room for the wanted shape, or for a pod that moves for it. */
    MAKES_WAY,
    /** It lowers fragmentation. */
    DEFRAGMENTS
  }

  public Move {
    if (!from.request().equals(to.request())) {
      throw new IllegalArgumentException(
          "a move of %s to a place of %s".formatted(from.request().name(), to.request().name()));
    }
  }
}
