package io.prescale.placement.consolidation;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.filter.Filter;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.filter.Verdict;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.topology.CardSet;
import io.prescale.placement.vacancy.Placing;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Moves pods one by one, each time the move that lowers fragmentation most, while the gain is worth
 * the interruption.
 *
 * <p>The change on the old node does not depend on the new one, so both are computed once per node
 * and again only where a move has changed it: O(pods + shapes · nodes) comparisons per move.
 */
final class FragmentationPlanner {
  private static final int NONE = -1;

  private final Fragmentation fragmentation;
  private final Filter filter;
  private final Placing placing;
  private final MoveState state;
  private final Departing departing;
  private final Map<Kind, Arriving> arriving = new HashMap<>();

  /** Requests that fit the same places. */
  private record Kind(RequestShape shape, Optional<Set<String>> nodes) {}

  private record Best(Placement from, int to, long change) {}

  FragmentationPlanner(
      Fragmentation fragmentation, Filter filter, Placing placing, MoveState state) {
    this.fragmentation = fragmentation;
    this.filter = filter;
    this.placing = placing;
    this.state = state;
    departing = new Departing(state.cluster().size());
  }

  /** Adds moves to the plan until none is worth it; returns whether there were any. */
  boolean lower() {
    int before = state.moves().size();
    Optional<Best> best = best();
    while (best.isPresent() && make(best.get())) {
      best = best();
    }
    return state.moves().size() > before;
  }

  private boolean make(Best best) {
    GpuRequest request = best.from().request();
    GpuNode node = state.cluster().node(best.to());
    Optional<Placement> to = placing.place(node, request, arriving(request).cards[best.to()]);
    to.ifPresent(
        place -> state.move(best.from(), place, Move.Reason.DEFRAGMENTS, milli(best.change())));
    return to.isPresent();
  }

  /** The gain of a change, rounded to thousandths of a GPU. */
  private long milli(long change) {
    return Math.round(-change / (double) fragmentation.totalWeight());
  }

  private Optional<Best> best() {
    if (state.movesLeft() == 0) {
      return Optional.empty();
    }
    ClusterSnapshot cluster = state.cluster();
    arriving.values().forEach(known -> known.update(cluster));
    Best best = null;
    for (int index = 0; index < cluster.size(); index++) {
      GpuNode node = cluster.node(index);
      long[] leaving = departing.changes(index, node);
      for (int i = 0; i < leaving.length; i++) {
        Placement pod = node.placements().get(i);
        if (pod.shares().isEmpty() || !state.mayMove(pod)) {
          continue;
        }
        Arriving places = arriving(pod.request());
        int to = places.best == index ? places.second : places.best;
        if (to == NONE) {
          continue;
        }
        long change = leaving[i] + places.change[to];
        if ((best == null || change < best.change())
            && state.isWorthIt(state.milliOf(pod), milli(change))) {
          best = new Best(pod, to, change);
        }
      }
    }
    return Optional.ofNullable(best);
  }

  private Arriving arriving(GpuRequest request) {
    return arriving.computeIfAbsent(
        new Kind(request.shape(), state.namesFor(request)),
        key -> {
          Arriving places = new Arriving(key, state.cluster().size());
          places.update(state.cluster());
          return places;
        });
  }

  /** The change of a node's fragmentation when one of its pods leaves. */
  private final class Departing {
    private final GpuNode[] seen;
    private final long[][] changes;

    Departing(int nodes) {
      seen = new GpuNode[nodes];
      changes = new long[nodes][];
    }

    long[] changes(int index, GpuNode node) {
      if (seen[index] != node) {
        seen[index] = node;
        long now = fragmentation.profile(node).now();
        changes[index] =
            node.placements().stream()
                .mapToLong(pod -> fragmentation.profile(without(node, pod)).now() - now)
                .toArray();
      }
      return changes[index];
    }

    private GpuNode without(GpuNode node, Placement pod) {
      return node.without(pod.request().name());
    }
  }

  /** The change of each node's fragmentation when a shape arrives, and the two best nodes. */
  private final class Arriving {
    private final RequestShape shape;
    private final Optional<Set<String>> nodes;
    private final GpuNode[] seen;
    private final CardSet[] cards;
    private final long[] change;
    private int best = NONE;
    private int second = NONE;

    Arriving(Kind kind, int size) {
      shape = kind.shape();
      nodes = kind.nodes();
      seen = new GpuNode[size];
      cards = new CardSet[size];
      change = new long[size];
    }

    void update(ClusterSnapshot cluster) {
      best = NONE;
      second = NONE;
      for (int index = 0; index < seen.length; index++) {
        GpuNode node = cluster.node(index);
        if (seen[index] != node) {
          seen[index] = node;
          judge(index, node);
        }
        if (!cards[index].isEmpty() && (best == NONE || change[index] < change[best])) {
          second = best;
          best = index;
        } else if (!cards[index].isEmpty() && (second == NONE || change[index] < change[second])) {
          second = index;
        }
      }
    }

    private void judge(int index, GpuNode node) {
      cards[index] = CardSet.NONE;
      if (nodes.map(open -> !open.contains(node.name())).orElse(false)) {
        return;
      }
      if (filter.judge(node, shape) instanceof Verdict.Fits fits) {
        Fragmentation.Profile profile = fragmentation.profile(node);
        for (CardSet set : candidates(node, fits.cards())) {
          long after = profile.after(shape, set) - profile.now();
          if (cards[index].isEmpty() || after < change[index]) {
            cards[index] = set;
            change[index] = after;
          }
        }
      }
    }

    /** Each single card for a share; for whole cards, the set that the placing would take. */
    private Iterable<CardSet> candidates(GpuNode node, CardSet free) {
      LinkedCards linkedCards = placing.linkedCards();
      boolean anyCard = shape.gpus() == 1 && !(shape.demand() instanceof GpuDemand.WholeGpu);
      return anyCard
          ? free.cards().mapToObj(CardSet::of).toList()
          : linkedCards.best(node, free, shape).stream().toList();
    }
  }
}
