package io.prescale.placement.preference;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.topology.CardSet;

/** Sums over the cards of a node. */
final class FreeMilli {
  private FreeMilli() {}

  /** What a request would take of the free thousandths of some cards. */
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

  static long of(GpuNode node) {
    return of(node, CardSet.first(node.cards()));
  }
}
