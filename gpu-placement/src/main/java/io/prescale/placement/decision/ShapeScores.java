package io.prescale.placement.decision;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.filter.Filter;
import io.prescale.placement.filter.Reason;
import io.prescale.placement.filter.Verdict;
import io.prescale.placement.topology.CardSet;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The cached verdict and costs of every node for requests of one shape. A node that is the same
 * object as before is not evaluated again, because nodes are immutable. Takes 8 · levels + 12 bytes
 * per node.
 */
final class ShapeScores {
  private final Ranking ranking;
  private final Filter filter;
  private final CardSelection cardSelection;
  private final int levels;
  private @Nullable GpuNode[] seen = new GpuNode[0];
  private long[] costs = new long[0];
  private int[] cards = new int[0];

  /** The reason of each node's refusal, null where the shape fits. */
  private @Nullable Reason[] reasons = new Reason[0];

  ShapeScores(Ranking ranking, Filter filter, CardSelection cardSelection) {
    this.ranking = ranking;
    this.filter = filter;
    this.cardSelection = cardSelection;
    levels = ranking.nodeLevels();
  }

  Ranking ranking() {
    return ranking;
  }

  /** Resizes the cache for a number of nodes. */
  void resize(int nodes) {
    if (seen.length != nodes) {
      seen = Arrays.copyOf(seen, nodes);
      costs = Arrays.copyOf(costs, nodes * levels);
      cards = Arrays.copyOf(cards, nodes);
      reasons = Arrays.copyOf(reasons, nodes);
    }
  }

  /** Whether the node at an index fits; evaluates it if it has changed. */
  boolean fits(int index, GpuNode node) {
    if (seen[index] != node) {
      judge(index, node);
      seen[index] = node;
    }
    return reasons[index] == null;
  }

  private void judge(int index, GpuNode node) {
    switch (filter.judge(node, ranking.shape())) {
      case Verdict.Refuses refuses -> reasons[index] = refuses.reason();
      case Verdict.Fits fits -> {
        reasons[index] = null;
        var nodeCosts = ranking.on(node);
        var chosen = cardSelection.choose(node, ranking.shape(), fits.cards(), nodeCosts);
        cards[index] = chosen.bits();
        for (int level = 0; level < levels; level++) {
          costs[index * levels + level] = nodeCosts.of(level, chosen);
        }
      }
    }
  }

  /** The cards that a request would take on a node that fits. */
  CardSet cards(int index) {
    return new CardSet(cards[index]);
  }

  /** The reason of a node that does not fit. */
  Reason reason(int index) {
    return Objects.requireNonNull(reasons[index]);
  }

  long cost(int index, int level) {
    return costs[index * levels + level];
  }

  /** Compares two fitting nodes by all preferences. */
  int compare(int left, int right) {
    for (int level = 0; level < levels; level++) {
      int order = Long.compare(costs[left * levels + level], costs[right * levels + level]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
