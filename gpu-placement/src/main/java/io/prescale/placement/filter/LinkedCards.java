package io.prescale.placement.filter;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.topology.CardChoice;
import io.prescale.placement.topology.CardSet;
import io.prescale.placement.topology.LinkMatrix;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the cards of a node that belong together. Remembers what was computed for each kind of link
 * matrix, of which a cluster has few. For one thread.
 */
public final class LinkedCards {
  private final Map<LinkMatrix, CardChoice> choices = new HashMap<>();

  /** What is known of choosing cards on the node; empty when its links are not known. */
  public Optional<CardChoice> choiceOn(GpuNode node) {
    return node.spec().links().map(links -> choices.computeIfAbsent(links, CardChoice::new));
  }

  /**
   * The best set of so many cards as the request asks. Where links are not known, the lowest ones;
   * none when a link is required then.
   */
  public Optional<CardSet> best(GpuNode node, CardSet cards, RequestShape shape) {
    int leastScore = leastScore(shape);
    var choice = choiceOn(node);
    if (choice.isPresent()) {
      return choice.get().best(cards, shape.gpus(), leastScore);
    }
    return cards.size() < shape.gpus() || leastScore > 0
        ? Optional.empty()
        : Optional.of(lowest(cards, shape.gpus()));
  }

  private static int leastScore(RequestShape shape) {
    boolean required = shape.links().strength() == LinkRequirement.Strength.REQUIRED;
    return required && shape.gpus() > 1 ? shape.links().scope().leastScore() : 0;
  }

  private static CardSet lowest(CardSet cards, int count) {
    int bits = cards.bits();
    while (Integer.bitCount(bits) > count) {
      bits &= ~Integer.highestOneBit(bits);
    }
    return new CardSet(bits);
  }
}
