package io.prescale.placement.inventory;

import io.prescale.placement.cluster.Gpu;
import java.util.List;
import java.util.Map;

/**
 * The cards of a registration.
 *
 * @param cards that can be used for accounting, in the order in which they are registered
 * @param numaNodes which NUMA node each is nearest to, by UUID; all 0 where that is not known
 * @param problems one sentence for each card that was left out
 */
public record RegisteredCards(List<Gpu> cards, Map<String, Long> numaNodes, List<String> problems) {
  public RegisteredCards {
    cards = List.copyOf(cards);
    numaNodes = Map.copyOf(numaNodes);
    problems = List.copyOf(problems);
  }
}
