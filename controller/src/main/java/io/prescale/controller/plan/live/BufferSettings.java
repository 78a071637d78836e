package io.prescale.controller.plan.live;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How autoscalers are asked for nodes.
 *
 * @param nodeLead from asking until a node has its cards, until that was measured
 * @param mostCards of all replicas for which nodes are asked, together
 * @param cardHourPrice what an hour of a card costs
 * @param mostCost of these cards an hour; needs the price
 * @param balloons the namespace in which pods ask, where nothing else is served; empty if none do
 */
public record BufferSettings(
    Duration nodeLead,
    int mostCards,
    OptionalDouble cardHourPrice,
    OptionalDouble mostCost,
    Optional<String> balloons) {
  public BufferSettings {
    if (nodeLead.isNegative() || mostCards < 0) {
      throw new IllegalArgumentException(
          "nodes take %s, at most %d cards".formatted(nodeLead, mostCards));
    }
    if (mostCost.isPresent() && !(cardHourPrice.orElse(0) > 0 && mostCost.getAsDouble() >= 0)) {
      throw new IllegalArgumentException(
          "a cost of %s an hour needs what a card costs".formatted(mostCost.getAsDouble()));
    }
  }

  /** The cards that both limits allow. */
  double cards() {
    return mostCost.isEmpty()
        ? mostCards
        : Math.min(mostCards, mostCost.getAsDouble() / cardHourPrice.orElseThrow());
  }

  /** The limit that holds, in words. */
  String limit() {
    return cards() < mostCards
        ? String.format(
            Locale.ROOT,
            "the cost of %s an hour at %s for a card",
            mostCost.orElseThrow(),
            cardHourPrice.orElseThrow())
        : "the limit of %d cards".formatted(mostCards);
  }
}
