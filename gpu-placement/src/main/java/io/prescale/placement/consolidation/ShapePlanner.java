package io.prescale.placement.consolidation;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.filter.Filter;
import io.prescale.placement.topology.CardSet;
import io.prescale.placement.vacancy.Placing;
import io.prescale.placement.vacancy.RunningPods;
import io.prescale.placement.vacancy.VacancySearch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the fewest moves that make room for a request.
 *
 * <p>Iterative deepening on the number of moves: on each node, each minimal set of blocking pods is
 * moved elsewhere, and where one of them fits nowhere, others move for it in turn. The effort is
 * bounded; within the bound, the plan has the fewest moves of this kind.
 */
final class ShapePlanner {
  /** The total number of nodes examined, which bounds the time. */
  private static final int EFFORT = 300_000;

  private static final int PLACES = 6;

  private final Filter filter;
  private final Placing placing;
  private final Destinations destinations;
  private final MoveState state;
  private int effort;

  /** A node, some of its cards, and the pods that block them. */
  private record Way(GpuNode node, CardSet cards, List<Placement> inTheWay) {}

  /** A place once some pods have left. */
  private record Freed(Placement place, List<Placement> pods) {}

  ShapePlanner(Filter filter, Placing placing, Destinations destinations, MoveState state) {
    this.filter = filter;
    this.placing = placing;
    this.destinations = destinations;
    this.state = state;
  }

  /** Adds moves to the plan and returns the freed place; adds none if no place can be freed. */
  Optional<Placement> free(GpuRequest wanted, int mostMoves) {
    Optional<Placement> fitting = destinations.tightest(state.nodesFor(wanted), wanted);
    if (fitting.isEmpty() && !hasEnoughInAll(wanted)) {
      return fitting;
    }
    for (int moves = 1; fitting.isEmpty() && moves <= mostMoves && effort < EFFORT; moves++) {
      fitting = makeRoom(wanted, state.moves().size() + moves, Map.of());
    }
    return fitting;
  }

  /**
   * Whether enough cards could be freed at all. Moves do not increase the total free capacity,
   * unless cards have slots of different sizes.
   */
  private boolean hasEnoughInAll(GpuRequest wanted) {
    if (!(wanted.shape().demand() instanceof GpuDemand.WholeGpu)) {
      return true;
    }
    long free = 0;
    int smallest = Gpu.WHOLE_MILLI;
    for (GpuNode node : state.cluster().nodes().toList()) {
      for (int card = 0; card < node.cards(); card++) {
        if (node.gpu(card).partitioning().hasEqualSlots()) {
          return true;
        }
        free += Math.max(0, node.freeComputeMilli(card));
        smallest = Math.min(smallest, node.gpu(card).computeMilli());
      }
    }
    return free >= (long) smallest * wanted.shape().gpus();
  }

  private Optional<Placement> makeRoom(
      GpuRequest request, int mostMoves, Map<String, Placement> reserved) {
    int before = state.moves().size();
    var tried = new HashSet<Freed>();
    for (Way way : ways(request, mostMoves - before, reserved)) {
      for (Placement place : placesAfter(way, request)) {
        if (effort > EFFORT) {
          return Optional.empty();
        }
        Map<String, Placement> more = new HashMap<>(reserved);
        more.put(way.node().name(), place);
        if (tried.add(new Freed(place, way.inTheWay()))
            && moveAll(way.inTheWay(), 0, mostMoves, more)) {
          return Optional.of(place);
        }
        state.backTo(before);
      }
    }
    return Optional.empty();
  }

  /**
   * Places for the request once the pods in the way have left: on the best-linked cards, and on
   * those of this way, which may leave others open to a pod that moves before.
   */
  private List<Placement> placesAfter(Way way, GpuRequest request) {
    GpuNode node = way.node();
    for (Placement pod : way.inTheWay()) {
      node = node.without(pod.request().name());
    }
    Optional<Placement> best = placing.place(node, request, way.cards());
    Optional<Placement> exact =
        best.isPresent() ? Placement.on(node, request, way.cards()) : Optional.empty();
    return Stream.concat(best.stream(), exact.stream()).toList();
  }

  /** Moves the pods from a position on, each to a place that is not reserved. */
  private boolean moveAll(
      List<Placement> pods, int position, int mostMoves, Map<String, Placement> reserved) {
    if (position == pods.size()) {
      return true;
    }
    Placement pod = pods.get(position);
    int before = state.moves().size();
    int missing = pods.size() - position;
    if (before + missing > mostMoves) {
      return false;
    }
    for (Placement to : places(pod, reserved)) {
      if (moveTo(to, pods, position, mostMoves, reserved)) {
        return true;
      }
      state.backTo(before);
    }
    boolean isMoved =
        makeRoom(pod.request(), mostMoves - missing, reserved)
            .filter(to -> moveTo(to, pods, position, mostMoves, reserved))
            .isPresent();
    if (!isMoved) {
      state.backTo(before);
    }
    return isMoved;
  }

  private boolean moveTo(
      Placement to,
      List<Placement> pods,
      int position,
      int mostMoves,
      Map<String, Placement> reserved) {
    state.move(pods.get(position), to, Move.Reason.MAKES_WAY, 0);
    return moveAll(pods, position + 1, mostMoves, reserved);
  }

  /** Free places for a pod on the tightest nodes, and on the unreserved parts of the others. */
  private List<Placement> places(Placement pod, Map<String, Placement> reserved) {
    effort += state.cluster().size();
    Stream<GpuNode> open =
        state
            .nodesFor(pod.request())
            .flatMap(node -> withReserved(node, reserved.get(node.name())).stream());
    return destinations.inTightest(open, pod.request()).limit(PLACES).toList();
  }

  /** The node with the reserved placement on it; empty when a MIG instance does not fit. */
  private static Optional<GpuNode> withReserved(GpuNode node, @Nullable Placement reserved) {
    if (reserved == null) {
      return Optional.of(node);
    }
    return reserved.request().shape().demand() instanceof GpuDemand.MigInstance
        ? Optional.empty()
        : Optional.of(node.with(reserved));
  }

  /** The ways to make room, those with the fewest and smallest blocking pods first. */
  private List<Way> ways(GpuRequest request, int mostPods, Map<String, Placement> reserved) {
    List<Way> ways = new ArrayList<>();
    effort += state.cluster().size();
    for (GpuNode node :
        state.nodesFor(request).filter(n -> !reserved.containsKey(n.name())).toList()) {
      RunningPods pods = RunningPods.of(ClusterSnapshot.ofNodes(List.of(node)));
      Leaving leaving = new Leaving(pods, state);
      VacancySearch search = new VacancySearch(pods, filter, leaving);
      if (search.leastDepartures(0, request.shape()) <= mostPods) {
        search.visit(
            0,
            request.shape(),
            new VacancySearch.Visitor() {
              @Override
              public boolean isWorthwhile() {
                return leaving.count() <= mostPods;
              }

              @Override
              public void found(CardSet cards) {
                if (leaving.count() > 0) {
                  ways.add(new Way(node, cards, leaving.pods()));
                }
              }
            });
      }
    }
    ways.sort(
        Comparator.comparingInt((Way way) -> way.inTheWay().size())
            .thenComparingInt(
                way -> way.inTheWay().stream().mapToInt(pod -> pod.shares().size()).sum()));
    return ways;
  }
}
