package io.prescale.placement.inventory;

import io.prescale.placement.cluster.Gpu;
import java.util.List;
import java.util.Map;

/**
 * The cards of a registration.
 *
 * @param cards that can be used for accounting, in the order in which they are registered
 * @param numa the NUMA nodes of those that state one, by UUID
 * @param problems one sentence for each card that was left out
 */
record RegisteredCards(List<Gpu> cards, Map<String, Integer> numa, List<String> problems) {
  RegisteredCards {
    cards = List.copyOf(cards);
    numa = Map.copyOf(numa);
    problems = List.copyOf(problems);
  }
}
