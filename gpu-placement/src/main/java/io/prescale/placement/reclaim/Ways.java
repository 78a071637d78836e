package io.prescale.placement.reclaim;

import io.prescale.placement.reclaim.ReclaimSearch.Way;
import io.prescale.placement.topology.CardSet;
import io.prescale.placement.vacancy.VacancySearch;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Collects the cheapest ways to make room for one request, over several nodes. */
final class Ways implements VacancySearch.Visitor {
  /** The most that are kept when each may matter. */
  static final int MOST = 64;

  private static final Comparator<Way> CHEAPEST_FIRST =
      Comparator.comparing(Way::cost).thenComparingInt(Way::node);

  private final Evictions evictions;
  private final int most;
  private final PriorityQueue<Way> kept = new PriorityQueue<>(CHEAPEST_FIRST.reversed());
  private final int mark;
  private final EvictionCost upToMark;
  private int mostVictims;
  private int node;
  private boolean hasDropped;

  Ways(Evictions evictions, EvictionCost soFar, int most, int mostVictims) {
    this.evictions = evictions;
    mark = evictions.count();
    upToMark = soFar;
    this.most = most;
    this.mostVictims = mostVictims;
  }

  void startNode(int newNode) {
    node = newNode;
  }

  boolean canImprove(int victims) {
    return victims <= mostVictims;
  }

  /** Whether so many victims would still be a gain, not counting what decides between equals. */
  boolean needsMore(int victims) {
    return kept.size() < most || victims < mostVictims;
  }

  @Override
  public boolean isWorthwhile() {
    return canImprove(evictions.count());
  }

  @Override
  public void found(CardSet cards) {
    EvictionCost cost = evictions.cost(mark, upToMark);
    if (kept.size() == most && cost.compareTo(kept.element().cost()) >= 0) {
      hasDropped = true;
      return;
    }
    kept.add(new Way(node, cards, evictions.since(mark), cost));
    if (kept.size() > most) {
      kept.remove();
      hasDropped = true;
    }
    if (kept.size() == most) {
      mostVictims = Math.min(mostVictims, kept.element().cost().victims());
    }
  }

  /** Whether a way was found and not kept, or not looked for because it costs more. */
  boolean hasDropped() {
    return hasDropped || kept.size() == most;
  }

  List<Way> cheapestFirst() {
    return kept.stream().sorted(CHEAPEST_FIRST).toList();
  }
}
