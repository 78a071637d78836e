package io.prescale.placement.consolidation;

import io.prescale.placement.cluster.ClusterSnapshot;

/** Carries out plans of moves. */
public final class Plans {
  private Plans() {}

  /** The cluster after a number of moves from the beginning of the plan. */
  public static ClusterSnapshot after(MovePlan plan, ClusterSnapshot cluster, int firstMoves) {
    ClusterSnapshot now = cluster;
    for (Move move : plan.moves().subList(0, firstMoves)) {
      now = now.without(move.from()).with(move.to());
    }
    return now;
  }
}
