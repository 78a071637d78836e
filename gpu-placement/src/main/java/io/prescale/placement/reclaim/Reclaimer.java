package io.prescale.placement.reclaim;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.filter.Filter;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.filter.Reason;
import io.prescale.placement.filter.Verdict;
import io.prescale.placement.reclaim.ReclaimResult.NotReclaimable;
import io.prescale.placement.vacancy.Placing;
import io.prescale.placement.vacancy.RunningPods;
import io.prescale.placement.vacancy.VacancySearch;
import java.util.EnumMap;
import java.util.Map;

/**
 * Chooses victims so that the room they leave fits the requested shapes.
 *
 * <p>Of all ways to make room the one with the fewest victims is taken: on any node, any set of
 * cards that are linked as required, any minimal set of pods. Work that is not preemptible, what
 * queues are owed and gangs' minima are never touched, and nothing is evicted unless every request
 * then has its place. For one request all ways are compared; for several, requests are placed one
 * after another at the least cost each, and then other ways are tried within a fixed effort. The
 * result says whether its number of victims is proven to be the least. Not thread-safe.
 */
public final class Reclaimer {
  private final LinkedCards linkedCards;
  private final Filter filter;

  public Reclaimer(LinkedCards linkedCards) {
    this.linkedCards = linkedCards;
    filter = new Filter(linkedCards);
  }

  /**
   * Chooses the victims for a request.
   *
   * @throws IllegalArgumentException when a preemptible pod is of a queue that the budget does not
   *     know
   */
  public ReclaimResult decide(ClusterSnapshot cluster, ReclaimRequest request) {
    RunningPods pods = RunningPods.of(cluster);
    Evictions evictions = new Evictions(pods, request);
    VacancySearch search = new VacancySearch(pods, filter, evictions);
    ReclaimSearch reclaimSearch =
        new ReclaimSearch(pods, evictions, search, new Placing(filter, linkedCards), request);
    return reclaimSearch
        .solve()
        .<ReclaimResult>map(reclaimed -> reclaimed)
        .orElseGet(() -> refusal(pods, search, reclaimSearch.firstUnplaced()));
  }

  private static NotReclaimable refusal(
      RunningPods pods, VacancySearch search, RequestShape shape) {
    Map<Reason, Integer> lacking = new EnumMap<>(Reason.class);
    int keeping = 0;
    for (int node = 0; node < pods.cluster().size(); node++) {
      switch (search.judgeEmptied(node, shape)) {
        case Verdict.Refuses refuses -> lacking.merge(refuses.reason(), 1, Integer::sum);
        case Verdict.Fits _ -> keeping++;
      }
    }
    return new NotReclaimable(shape, lacking, keeping);
  }
}
