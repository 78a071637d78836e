package io.prescale.placement.decision;

import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.preference.CardHealth;
import io.prescale.placement.topology.CardSet;

/** Chooses which of the fitting cards of a node a request takes. */
final class CardSelection {
  private final LinkedCards linkedCards;

  CardSelection(LinkedCards linkedCards) {
    this.linkedCards = linkedCards;
  }

  /** Chooses several whole cards, or cards that should be linked, as a set; others one by one. */
  CardSet choose(GpuNode node, RequestShape shape, CardSet fitting, NodeCosts costs) {
    if (shape.gpus() == 0) {
      return CardSet.NONE;
    }
    boolean together =
        shape.demand() instanceof GpuDemand.WholeGpu
            || shape.links().strength() != LinkRequirement.Strength.NONE;
    return together && shape.gpus() > 1
        ? linked(node, shape, fitting)
        : cheapest(node, shape.gpus(), fitting, costs);
  }

  private CardSet linked(GpuNode node, RequestShape shape, CardSet fitting) {
    var sound =
        fitting
            .cards()
            .filter(card -> CardHealth.isSound(node.gpu(card).health()))
            .map(card -> 1 << card)
            .reduce(0, (left, right) -> left | right);
    return linkedCards
        .best(node, new CardSet(sound), shape)
        .or(() -> linkedCards.best(node, fitting, shape))
        .orElseThrow();
  }

  private CardSet cheapest(GpuNode node, int count, CardSet fitting, NodeCosts costs) {
    int chosen = 0;
    int most = Math.min(count, fitting.size()); // fewer where a card gives several MIG instances
    for (int taken = 0; taken < most; taken++) {
      chosen |= 1 << costs.bestCard(distinct(node, fitting.bits() & ~chosen));
    }
    return new CardSet(chosen);
  }

  /**
   * The candidates without those that equal a lower one in kind and state, if links are unknown.
   */
  private static int distinct(GpuNode node, int candidates) {
    if (node.spec().links().isPresent()) {
      return candidates;
    }
    int distinct = 0;
    for (int rest = candidates; rest != 0; rest &= rest - 1) {
      int card = Integer.numberOfTrailingZeros(rest);
      if (!isLikeOneOf(node, card, distinct)) {
        distinct |= 1 << card;
      }
    }
    return distinct;
  }

  private static boolean isLikeOneOf(GpuNode node, int card, int others) {
    for (int rest = others; rest != 0; rest &= rest - 1) {
      if (isAlike(node, card, Integer.numberOfTrailingZeros(rest))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAlike(GpuNode node, int left, int right) {
    return node.freeComputeMilli(left) == node.freeComputeMilli(right)
        && node.freeGpuMemoryMib(left) == node.freeGpuMemoryMib(right)
        && node.sharers(left) == node.sharers(right)
        && node.migSlices(left) == node.migSlices(right)
        && node.gpu(left).isAlike(node.gpu(right));
  }
}
