package io.prescale.placement.preference;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.topology.CardSet;

/** Sums of free thousandths over cards of a node. */
final class FreeMilli {
  private FreeMilli() {}

  /** The free thousandths that a request would take on the cards. */
  static long taken(GpuNode node, RequestShape shape, CardSet cards) {
    long taken = 0;
    for (int rest = cards.bits(); rest != 0; rest &= rest - 1) {
      int card = Integer.numberOfTrailingZeros(rest);
      taken += node.freeMilli(card) - node.freeMilliAfter(card, shape.demand());
    }
    return taken;
  }

  static long of(GpuNode node, CardSet cards) {
    long free = 0;
    for (int rest = cards.bits(); rest != 0; rest &= rest - 1) {
      free += node.freeMilli(Integer.numberOfTrailingZeros(rest));
    }
    return free;
  }
}
