package io.prescale.placement.decision;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.preference.Preference.Costs;
import io.prescale.placement.topology.CardSet;
import org.jspecify.annotations.Nullable;

/** The costs of places on one node; each preference is prepared when first needed. */
final class NodeCosts {
  private final Ranking ranking;
  private final GpuNode node;
  private final @Nullable Costs[] prepared;

  NodeCosts(Ranking ranking, GpuNode node) {
    this.ranking = ranking;
    this.node = node;
    prepared = new Costs[ranking.preferences().size()];
  }

  /** The best candidate by all preferences among cards, the lowest of equals. */
  int bestCard(int candidates) {
    int best = candidates;
    for (int level = 0; level < ranking.cardLevels() && Integer.bitCount(best) > 1; level++) {
      best = cheapest(best, costs(ranking.cardPreference(level)));
    }
    return Integer.numberOfTrailingZeros(best);
  }

  private static int cheapest(int candidates, Costs costs) {
    int cheapest = 0;
    long least = Long.MAX_VALUE;
    for (int rest = candidates; rest != 0; rest &= rest - 1) {
      int card = Integer.lowestOneBit(rest);
      long cost = costs.of(new CardSet(card));
      if (cost < least) {
        cheapest = 0;
        least = cost;
      }
      if (cost == least) {
        cheapest |= card;
      }
    }
    return cheapest;
  }

  /** The cost of the cards by the preference among nodes at a level. */
  long of(int level, CardSet cards) {
    return costs(ranking.nodePreference(level)).of(cards);
  }

  private Costs costs(int preference) {
    var known = prepared[preference];
    if (known == null) {
      known = ranking.preferences().get(preference).on(node, ranking.shape());
      prepared[preference] = known;
    }
    return known;
  }
}
