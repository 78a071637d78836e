package io.prescale.placement.consolidation;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.fragmentation.Fragmentation;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Moves all pods off one node when that lowers fragmentation although no single move does: two
 * half-empty nodes become a full and an empty one.
 */
record NodeDrain(Fragmentation fragmentation, Destinations destinations, MoveState state) {
  /** The number of nodes tried, those with the most free GPU first. */
  private static final int TRIED = 16;

  /** Adds the moves off the first node whose drain is worth it; returns whether there was one. */
  boolean drain() {
    List<GpuNode> emptiest =
        state
            .cluster()
            .nodes()
            .filter(node -> node.placements().stream().anyMatch(pod -> !pod.shares().isEmpty()))
            .sorted(Comparator.comparingLong((GpuNode node) -> -node.freeMilli()))
            .limit(TRIED)
            .toList();
    return emptiest.stream().anyMatch(this::drain);
  }

  private boolean drain(GpuNode node) {
    int before = state.moves().size();
    boolean isEmpty =
        node.placements().stream()
            .filter(pod -> !pod.shares().isEmpty())
            .allMatch(pod -> moveAway(pod));
    List<Move> moves = state.moves().subList(before, state.moves().size());
    long gain = moves.stream().mapToLong(Move::gainMilli).sum();
    long cost = moves.stream().mapToLong(Move::costMilli).sum();
    if (isEmpty && state.isWorthIt(cost, gain)) {
      return true;
    }
    state.backTo(before);
    return false;
  }

  private boolean moveAway(Placement pod) {
    if (state.movesLeft() == 0 || !state.mayMove(pod)) {
      return false;
    }
    ClusterSnapshot cluster = state.cluster();
    Stream<GpuNode> others =
        state
            .nodesFor(pod.request())
            .filter(node -> !node.name().equals(pod.node()) && !node.placements().isEmpty());
    Optional<Placement> to = destinations.tightest(others, pod.request());
    to.ifPresent(
        place -> state.move(pod, place, Move.Reason.DEFRAGMENTS, gain(cluster, pod, place)));
    return to.isPresent();
  }

  private long gain(ClusterSnapshot cluster, Placement from, Placement to) {
    ClusterSnapshot after = cluster.without(from).with(to);
    double change = sumOf(after, from, to) - sumOf(cluster, from, to);
    return Math.round(-change / fragmentation.totalWeight());
  }

  private double sumOf(ClusterSnapshot cluster, Placement from, Placement to) {
    return Stream.of(from.node(), to.node())
        .mapToLong(name -> fragmentation.profile(cluster.find(name).orElseThrow()).now())
        .sum();
  }
}
