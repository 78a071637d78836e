package io.prescale.placement.decision;

import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.preference.CardHealth;
import io.prescale.placement.topology.CardSet;

/** Chooses the cards of one node that a request takes, out of those that fit. */
final class CardSelection {
  private final LinkedCards linkedCards;

  CardSelection(LinkedCards linkedCards) {
    this.linkedCards = linkedCards;
  }

  /** Several whole cards, or cards that should be linked, go together; others one by one. */
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
    for (int taken = 0; taken < count; taken++) {
      chosen |= 1 << cheapest(node, fitting.bits() & ~chosen, costs);
    }
    return new CardSet(chosen);
  }

  private static int cheapest(GpuNode node, int candidates, NodeCosts costs) {
    int best = Integer.numberOfTrailingZeros(candidates);
    int tried = 1 << best;
    for (int rest = candidates & ~tried; rest != 0; rest &= rest - 1) {
      int card = Integer.numberOfTrailingZeros(rest);
      if (!isLikeOneOf(node, card, tried)) {
        tried |= 1 << card;
        if (costs.compareCards(card, best) < 0) {
          best = card;
        }
      }
    }
    return best;
  }

  /** Whether a card cannot cost less than one that was tried: same kind, same state, no links. */
  private static boolean isLikeOneOf(GpuNode node, int card, int tried) {
    if (node.spec().links().isPresent()) {
      return false;
    }
    for (int rest = tried; rest != 0; rest &= rest - 1) {
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
