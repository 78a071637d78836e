package io.prescale.placement.preference;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.topology.LinkPotential;
import java.util.ArrayList;
import java.util.List;

/**
 * Prefers cards that leave the node's idle cards with the best-linked sets of eight, four and two.
 * A card that is already in use costs nothing.
 */
public record RemainingLinks(LinkedCards linkedCards) implements Preference {
  /**
   * More than four sets of four, of 24 pairs with the highest score of a link, add up to, and so
   * than eight pairs do.
   */
  private static final long RADIX = 1 << 20;

  @Override
  public String name() {
    return "best links among the remaining cards";
  }

  @Override
  public String inWords(long cost) {
    if (cost == 0) {
      return "nothing lost";
    }
    var lost = new ArrayList<String>();
    addLost(cost / RADIX / RADIX, "sets of eight", lost);
    addLost(cost / RADIX % RADIX, "sets of four", lost);
    addLost(cost % RADIX, "pairs", lost);
    return "%s of their link score".formatted(String.join(" and ", lost));
  }

  private static void addLost(long score, String sets, List<String> lost) {
    if (score > 0) {
      lost.add("%s lose %,d".formatted(sets, score));
    }
  }

  @Override
  public Costs on(GpuNode node, RequestShape shape) {
    var choice = linkedCards.choiceOn(node);
    if (choice.isEmpty() || shape.gpus() == 0) {
      return _ -> 0;
    }
    var idle = node.idleCards();
    var before = choice.get().potential(idle);
    return cards -> weigh(before.minus(choice.get().potential(idle.minus(cards))));
  }

  private static long weigh(LinkPotential loss) {
    return (loss.eights() * RADIX + loss.fours()) * RADIX + loss.pairs();
  }
}
