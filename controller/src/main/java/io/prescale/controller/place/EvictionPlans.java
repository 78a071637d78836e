package io.prescale.controller.place;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.NetworkScope;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.decision.Gang;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.reclaim.ReclaimRequest;
import io.prescale.placement.reclaim.ReclaimResult;
import io.prescale.placement.reclaim.Reclaimer;
import java.util.List;
import java.util.Optional;

/** Finds the pods that would have to leave for a pod or gang without a place. */
final class EvictionPlans {
  private final Reclaimer reclaimer = new Reclaimer(new LinkedCards());
  private final Optional<QueueBook> book;
  private final Gangs gangs;

  /**
   * @param book what queues may take from each other; without it priorities alone decide
   */
  EvictionPlans(Optional<QueueBook> book, Gangs gangs) {
    this.book = book;
    this.gangs = gangs;
  }

  /** The result of {@link #decide}. */
  sealed interface Result {}

  /** The evictions that make room. */
  record Found(ReclaimResult.Reclaimed evictions) implements Result {}

  /** No evictions make room, or the search does not apply to such pods. */
  record Impossible(String reason) implements Result {}

  Result decide(ClusterSnapshot cluster, Gang gang) {
    var requests = gang.members();
    if (requests.stream().map(GpuRequest::standing).distinct().count() > 1) {
      return new Impossible("the gang's pods differ in queue or priority");
    }
    var request =
        new ReclaimRequest(requests, book.map(it -> it.budgetOf(requests)), gangs.minimum());
    return switch (reclaimer.decide(cluster, request)) {
      case ReclaimResult.NotReclaimable none -> new Impossible(none.reason());
      case ReclaimResult.Reclaimed found ->
          isWiderThan(gang.required(), cluster, found.placements())
              ? new Impossible("the gang would be spread beyond " + gang.required().phrase())
              : new Found(found);
    };
  }

  private static boolean isWiderThan(
      NetworkScope scope, ClusterSnapshot cluster, List<Placement> placements) {
    var domains =
        placements.stream()
            .map(placement -> cluster.find(placement.node()).orElseThrow().spec())
            .map(scope::domainOf)
            .distinct()
            .toList();
    return domains.size() > 1 || domains.contains("");
  }
}
