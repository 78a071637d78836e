package io.prescale.placement.inventory;

import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a bound pod holds, by the records of HAMi, Volcano and Koordinator. Its annotations can be
 * written by all users who may edit the pod, so a record counts only for a resource that the pod
 * requests, and for as many cards as it requests.
 *
 * @param placement on known cards; empty when it holds none
 * @param units devices that are only counted
 * @param problems one sentence for each record that could not be counted
 */
public record PodUsage(
    Optional<Placement> placement, Map<String, Long> units, List<String> problems) {
  public PodUsage {
    units = Map.copyOf(units);
    problems = List.copyOf(problems);
  }

  /** Reads what the pod holds of its node; never fails. */
  public static PodUsage read(PodFacts pod, NodeSpec node) {
    var problems = new ArrayList<String>();
    var held = new HeldShares(pod, node, problems);
    for (var family : Families.ALL) {
      held.count(family);
    }
    held.countKoordinator();
    var shares = held.shares();
    return new PodUsage(
        shares.isEmpty()
            ? Optional.empty()
            : Optional.of(Placement.observed(pod.uid(), pod.priority(), node.name(), shares)),
        DemandReader.units(pod),
        problems);
  }
}
