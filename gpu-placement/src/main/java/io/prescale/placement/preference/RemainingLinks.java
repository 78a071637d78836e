package io.prescale.placement.preference;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.topology.CardChoice;
import io.prescale.placement.topology.CardSet;

/**
 * Cards after which the idle ones of the node still form the best sets of eight, four and two. A
 * card that is in use already costs nothing.
 */
public record RemainingLinks(LinkedCards linkedCards) implements Preference {
  /** More than the scores of 16 cards add up to at 18 NVLinks a pair. */
  private static final long RADIX = 1 << 20;

  @Override
  public String name() {
    return "best links among the remaining cards";
  }

  @Override
  public Costs on(GpuNode node, RequestShape shape) {
    var choice = linkedCards.choiceOn(node);
    if (choice.isEmpty() || shape.gpus() == 0) {
      return _ -> 0;
    }
    return cards -> loss(choice.get(), node.idleCards(), cards);
  }

  private static long loss(CardChoice choice, CardSet idle, CardSet cards) {
    var taken = new CardSet(cards.bits() & idle.bits());
    var loss = choice.loss(idle, taken);
    return (loss.eights() * RADIX + loss.fours()) * RADIX + loss.pairs();
  }
}
