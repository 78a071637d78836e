package io.prescale.placement.reclaim;

import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.reclaim.ReclaimResult.Reclaimed;
import io.prescale.placement.topology.CardSet;
import io.prescale.placement.vacancy.Placing;
import io.prescale.placement.vacancy.RunningPods;
import io.prescale.placement.vacancy.VacancySearch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Branch and bound over the requests: each in its turn takes every way to make room on every node,
 * the cheapest first. The first descent takes the cheapest way each time.
 */
final class ReclaimSearch {
  /** How many nodes are searched for a better solution once one is known; bounds the time. */
  private static final int EFFORT = 30_000;

  private final RunningPods pods;
  private final Evictions evictions;
  private final VacancySearch search;
  private final Placing placing;
  private final List<GpuRequest> requests;
  private final List<Placement> placed = new ArrayList<>();
  private final int leastVictims;
  private Optional<Reclaimed> best = Optional.empty();
  private boolean isComplete;
  private int effort;

  /** How many nodes may be looked at before the first solution; one descent takes half of it. */
  private long untilFirst;

  private int mostPlaced;

  ReclaimSearch(
      RunningPods pods,
      Evictions evictions,
      VacancySearch search,
      Placing placing,
      ReclaimRequest request) {
    this.pods = pods;
    this.evictions = evictions;
    this.search = search;
    this.placing = placing;
    requests = request.requests();
    isComplete = isOfOneShape() || requests.stream().noneMatch(ReclaimSearch::asksForWhole);
    untilFirst = EFFORT + 2L * requests.size() * pods.cluster().size();
    leastVictims = leastVictims();
  }

  /** Whole cards are taken by their links, which may leave the wrong ones for another shape. */
  private boolean isOfOneShape() {
    return requests.stream().map(GpuRequest::shape).distinct().count() == 1;
  }

  private static boolean asksForWhole(GpuRequest request) {
    return request.shape().demand() instanceof GpuDemand.WholeGpu;
  }

  /** Cards asked for that are idle nowhere, divided by the cards of the widest pod. */
  private int leastVictims() {
    int missing = 0;
    for (GpuRequest request : requests) {
      missing += asksForWhole(request) ? request.shape().gpus() : 0;
    }
    int widest = 1;
    for (int node = 0; node < pods.cluster().size(); node++) {
      missing -= search.idleCards(node);
      widest = Math.max(widest, pods.widestOn(node));
    }
    return Math.ceilDiv(Math.max(0, missing), widest);
  }

  Optional<Reclaimed> solve() {
    placeFrom(0, EvictionCost.NOTHING);
    return best.map(
        found ->
            new Reclaimed(
                found.placements(),
                found.victims(),
                found.cost(),
                (isComplete && !search.wasCut()) || found.cost().victims() == leastVictims));
  }

  /** The shape of the first request that found no place. */
  RequestShape firstUnplaced() {
    return requests.get(Math.min(mostPlaced, requests.size() - 1)).shape();
  }

  private void placeFrom(int index, EvictionCost soFar) {
    mostPlaced = Math.max(mostPlaced, index);
    if (index == requests.size()) {
      keep(soFar);
      return;
    }
    for (Way way : ways(requests.get(index).shape(), soFar)) {
      if (isHopeless(way)) {
        return;
      }
      if (best.isPresent() ? effort >= EFFORT : untilFirst <= 0) {
        isComplete = false;
        return;
      }
      take(way, index);
    }
  }

  private boolean isHopeless(Way way) {
    return best.isPresent()
        && (best.get().cost().victims() == leastVictims
            || way.cost().compareTo(best.get().cost()) >= 0);
  }

  private void take(Way way, int index) {
    int before = evictions.count();
    way.victims().forEach(evictions::leave);
    Optional<Placement> placement =
        placing.place(search.nodeNow(way.node()), requests.get(index), way.cards());
    if (placement.isPresent()) {
      search.arrive(way.node(), placement.get());
      placed.add(placement.get());
      placeFrom(index + 1, way.cost());
      placed.removeLast();
      search.takeBack(way.node());
    }
    evictions.backTo(before);
  }

  private void keep(EvictionCost cost) {
    if (best.isEmpty() || cost.compareTo(best.get().cost()) < 0) {
      List<Placement> victims = evictions.since(0).stream().map(pods::placement).toList();
      best = Optional.of(new Reclaimed(placed, victims, cost, false));
    }
  }

  private List<Way> ways(RequestShape shape, EvictionCost soFar) {
    boolean isLast = placed.size() == requests.size() - 1;
    int mostVictims = best.map(found -> found.cost().victims()).orElse(Integer.MAX_VALUE);
    Ways ways = new Ways(evictions, soFar, isLast ? 1 : Ways.MOST, mostVictims);
    int[] least = new int[pods.cluster().size()];
    Arrays.setAll(least, node -> search.leastDepartures(node, shape));
    int[] nodes =
        IntStream.range(0, least.length)
            .boxed()
            .sorted(Comparator.comparingInt(node -> least[node]))
            .mapToInt(Integer::intValue)
            .toArray();
    untilFirst -= best.isPresent() ? 0 : least.length;
    for (int node : nodes) {
      int victims = evictions.count() + least[node];
      if (!ways.canImprove(victims) || (!isLast && !ways.needsMore(victims))) {
        break;
      }
      effort += best.isPresent() ? 1 : 0;
      untilFirst -= best.isPresent() ? 0 : 1;
      ways.startNode(node);
      search.visit(node, shape, ways);
    }
    isComplete &= isLast || !ways.hasDropped();
    return ways.cheapestFirst();
  }

  /**
   * One way to make room for the request at hand.
   *
   * @param victims that it needs besides those chosen before
   * @param cost of all victims, including those chosen before
   */
  record Way(int node, CardSet cards, List<Integer> victims, EvictionCost cost) {}
}
