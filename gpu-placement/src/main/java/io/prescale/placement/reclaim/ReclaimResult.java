package io.prescale.placement.reclaim;

import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.filter.Reason;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The result of a search for victims. */
public sealed interface ReclaimResult {

  /**
   * Every request has a place once the victims have left.
   *
   * @param placements of the requests, in their order
   * @param victims the pods that have to leave; empty when there was room
   * @param cost of the evictions
   * @param isProvenLeast whether it is certain that no smaller number of victims would do: nearly
   *     always for one request, seldom for many
   */
  record Reclaimed(
      List<Placement> placements, List<Placement> victims, EvictionCost cost, boolean isProvenLeast)
      implements ReclaimResult {
    public Reclaimed {
      placements = List.copyOf(placements);
      victims = List.copyOf(victims);
    }
  }

  /**
   * Nothing is evicted, since it would not lead to places for all requests.
   *
   * @param shape of the first request that found no place
   * @param lacking how many nodes lack what, even without the pods that may be evicted
   * @param protectedNodes how many nodes have room only without pods that gangs or quotas protect
   */
  record NotReclaimable(RequestShape shape, Map<Reason, Integer> lacking, int protectedNodes)
      implements ReclaimResult {
    public NotReclaimable {
      lacking = Map.copyOf(lacking);
    }

    /** The refusal as a sentence. */
    public String reason() {
      String nodes =
          new TreeMap<>(lacking)
              .entrySet().stream()
                  .map(entry -> entry.getValue() + " " + entry.getKey().phrase(entry.getValue()))
                  .collect(Collectors.joining(", "));
      String emptied =
          nodes.isEmpty() ? "" : " without the work that may be evicted, of the nodes " + nodes;
      String kept =
          protectedNodes == 0 ? "" : " gangs or quotas protect the work on " + protectedNodes;
      String both = emptied.isEmpty() || kept.isEmpty() ? emptied + kept : emptied + ";" + kept;
      return "needs " + shape + ":" + (both.isEmpty() ? " there are no nodes" : both);
    }
  }
}
