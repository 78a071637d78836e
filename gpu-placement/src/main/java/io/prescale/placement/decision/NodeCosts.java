package io.prescale.placement.decision;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.preference.Preference.Costs;
import io.prescale.placement.topology.CardSet;
import org.jspecify.annotations.Nullable;

/** What places on one node cost; each preference is prepared when it is first needed. */
final class NodeCosts {
  private final Ranking ranking;
  private final GpuNode node;
  private final @Nullable Costs[] prepared;

  NodeCosts(Ranking ranking, GpuNode node) {
    this.ranking = ranking;
    this.node = node;
    prepared = new Costs[ranking.preferences().size()];
  }

  /** Compares two cards of the node by all preferences of cards. */
  int compareCards(int left, int right) {
    var leftCard = new CardSet(1 << left);
    var rightCard = new CardSet(1 << right);
    for (int level = 0; level < ranking.cardLevels(); level++) {
      var costs = costs(ranking.cardPreference(level));
      int order = Long.compare(costs.of(leftCard), costs.of(rightCard));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /** What the cards cost by the preference that compares nodes at a level. */
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
