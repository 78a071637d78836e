package io.prescale.placement.consolidation;

import io.prescale.placement.cluster.Placement;

/**
 * One pod moves. The new place is free while the old one is still held, so the pod may start there
 * before it stops here.
 *
 * @param reason why it moves
 * @param costMilli the GPU whose work is interrupted, in thousandths
 * @param gainMilli by how much this move lowers the fragmentation, in thousandths of a GPU,
 *     rounded; 0 when the plan does not measure it, and it may be 0 or below for moves that only
 *     pay together with those after them
 */
public record Move(Placement from, Placement to, Reason reason, long costMilli, long gainMilli) {

  /** Why a pod moves. */
  public enum Reason {
    /** Its card is unhealthy. */
    SICK_CARD,
    /** It stands where the wanted shape, or a pod that makes way for it, is to go. */
    MAKES_WAY,
    /** Less of the free GPU is of no use afterwards. */
    DEFRAGMENTS
  }

  public Move {
    if (!from.request().equals(to.request())) {
      throw new IllegalArgumentException(
          "a move of %s to a place of %s".formatted(from.request().name(), to.request().name()));
    }
  }
}
