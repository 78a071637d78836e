package io.prescale.controller.place;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.overcommit.MemoryStacking;
import io.prescale.placement.overcommit.MemoryUsage;
import io.prescale.placement.overcommit.OvercommitRule;
import io.prescale.placement.overcommit.UsageOfCards;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The cluster while pods come and go; each change updates how much its cards may promise. */
final class RunState {
  private final Optional<MemoryStacking> stacking;
  private ClusterSnapshot cluster;

  RunState(ClusterSnapshot start, Optional<OvercommitRule> overcommit, List<PodRow> pods) {
    stacking = overcommit.map(rule -> new MemoryStacking(rule, UsageOfCards.byPod(usage(pods))));
    cluster = start;
    if (stacking.isPresent()) {
      cluster = ClusterSnapshot.ofNodes(start.nodes().map(stacking.get()::applyTo).toList());
    }
  }

  private static Map<String, MemoryUsage> usage(List<PodRow> pods) {
    var usage = new HashMap<String, MemoryUsage>();
    pods.forEach(pod -> pod.memoryUsage().ifPresent(seen -> usage.put(pod.request().name(), seen)));
    return usage;
  }

  ClusterSnapshot cluster() {
    return cluster;
  }

  void add(Placement placement) {
    cluster = cluster.with(placement);
    stack(placement.node());
  }

  void remove(Placement placement) {
    cluster = cluster.without(placement);
    stack(placement.node());
  }

  private void stack(String node) {
    stacking.ifPresent(
        it -> cluster = cluster.withNode(it.applyTo(cluster.find(node).orElseThrow())));
  }
}
