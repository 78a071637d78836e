package io.prescale.placement.consolidation;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.Placement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** An unfinished plan: the moves so far and the cluster after them. No pod moves twice. */
final class MoveState {
  private final MoveRules rules;
  private final Map<String, Integer> spare;
  private final List<Move> moves = new ArrayList<>();
  private final List<ClusterSnapshot> clusters = new ArrayList<>();
  private final Set<String> moved = new HashSet<>();

  MoveState(ClusterSnapshot cluster, MoveRules rules) {
    this.rules = rules;
    spare = rules.spare(cluster.placements());
    clusters.add(cluster);
  }

  ClusterSnapshot cluster() {
    return clusters.getLast();
  }

  List<Move> moves() {
    return moves;
  }

  int movesLeft() {
    return rules.mostMoves() - moves.size();
  }

  boolean isWorthIt(long costMilli, long gainMilli) {
    return gainMilli > 0 && gainMilli * 100 >= costMilli * rules.leastGainPercent();
  }

  boolean mayMove(Placement placement) {
    return !moved.contains(placement.request().name()) && rules.mayMove(placement, spare);
  }

  /** The nodes where a request may be, as they are after the moves so far. */
  Stream<GpuNode> nodesFor(GpuRequest request) {
    return cluster().nodes().filter(node -> rules.mayBe(request, node));
  }

  /** The names of those; empty when it may be anywhere. */
  Optional<Set<String>> namesFor(GpuRequest request) {
    return rules.nodesOf(request);
  }

  void move(Placement from, Placement to, Move.Reason reason, long gainMilli) {
    moves.add(new Move(from, to, reason, milliOf(from), gainMilli));
    clusters.add(cluster().without(from).with(to));
    moved.add(from.request().name());
  }

  void backTo(int count) {
    while (moves.size() > count) {
      moved.remove(moves.removeLast().from().request().name());
      clusters.removeLast();
    }
  }

  long milliOf(Placement placement) {
    return cluster().find(placement.node()).orElseThrow().milliOf(placement);
  }
}
