package io.prescale.placement.inventory;

import io.prescale.placement.cluster.Gpu;
import java.util.List;

/**
 * The cards of a registration.
 *
 * @param cards that can be used for accounting, in the order in which they are registered
 * @param problems one sentence for each card that was left out
 */
public record RegisteredCards(List<Gpu> cards, List<String> problems) {
  public RegisteredCards {
    cards = List.copyOf(cards);
    problems = List.copyOf(problems);
  }
}
