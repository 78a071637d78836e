package io.prescale.placement.ledger;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.decision.Placer;
import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Knows the cards that pods need on the nodes on which kube-scheduler has preempted others for
 * them: free ones, and those of pods that are leaving. No less important pod gets these cards while
 * a pod is nominated there and holds nothing. Not thread-safe.
 */
final class Nominations {
  private static final int[] THE_NODE = {0};
  private static final Comparator<PodFacts> MOST_IMPORTANT_FIRST =
      Comparator.comparingInt(PodFacts::priority).reversed().thenComparing(PodFacts::uid);

  private final Fleet fleet;
  private final Holdings holdings;
  private final WaitingPods waiting;
  private final DemandReader reader;
  private final Placer placer;

  Nominations(Fleet fleet, Holdings holdings, WaitingPods waiting, DemandReader reader) {
    this.fleet = fleet;
    this.holdings = holdings;
    this.waiting = waiting;
    this.reader = reader;
    placer = UsualWorkload.placer();
  }

  /**
   * The cards that more important pods need.
   *
   * @param closed the cards that are kept for others than a pod
   */
  Set<String> before(PodFacts pod, Function<PodFacts, Set<String>> closed) {
    if (waiting.nominated().isEmpty()) {
      return Set.of();
    }
    var nodes = new HashMap<String, GpuNode>();
    var cards = new HashSet<String>();
    waiting.nominated().stream()
        .filter(other -> other.priority() > pod.priority() && !holdings.has(other.uid()))
        .sorted(MOST_IMPORTANT_FIRST)
        .forEach(
            other -> {
              var name = other.nominated().orElseThrow();
              var node = Optional.ofNullable(nodes.get(name)).or(() -> withoutLeaving(name));
              node.flatMap(it -> place(other, it, closed.apply(other)))
                  .ifPresent(
                      place -> {
                        nodes.put(name, node.orElseThrow().with(place));
                        cards.addAll(place.uuids());
                      });
            });
    return cards;
  }

  private Optional<GpuNode> withoutLeaving(String name) {
    var node = fleet.cluster().find(name);
    for (var leaving : holdings.on(name).filter(it -> it.pod().isLeaving()).toList()) {
      node = node.map(it -> without(it, leaving.pod().uid()));
    }
    return node.map(left -> fleet.stacking().map(it -> it.applyTo(left)).orElse(left));
  }

  private static GpuNode without(GpuNode node, String uid) {
    return node.placementOf(uid).isPresent() ? node.without(uid) : node;
  }

  private Optional<Placement> place(PodFacts pod, GpuNode node, Set<String> closed) {
    if (!(reader.read(pod) instanceof PodDemand.Cards asked)) {
      return Optional.empty();
    }
    var standing = Standing.preemptible(pod.priority());
    var request = new GpuRequest(pod.uid(), asked.without(closed).shape(), standing);
    var cluster = ClusterSnapshot.ofNodes(List.of(node));
    return placer.shortlist(cluster, request, THE_NODE, _ -> 0, "", 1).places().stream()
        .findFirst();
  }
}
