package io.prescale.controller.plan.cluster;

import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.scheduler.facts.Facts;
import io.prescale.controller.scheduler.facts.NodeRules;
import io.prescale.controller.scheduler.objects.ClusterObjects;
import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.ledger.CardPart;
import io.prescale.placement.ledger.Ledger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** What replicas take of the cards of some nodes. Not thread-safe. */
public final class CardParts {
  private static final double MILLI = 1000;
  private static final DemandReader READER = new DemandReader(_ -> Set.of());

  private final ClusterObjects nodes;

  /** What the nodes have that let pods in, by the names of those that do not. */
  private final Map<Set<String>, Ledger> ledgers = new HashMap<>();

  private CardParts(ClusterObjects nodes) {
    this.nodes = nodes;
  }

  /** Of these nodes. */
  public static CardParts of(List<Node> nodes) {
    return of(new ClusterObjects(List.<HasMetadata>copyOf(nodes)));
  }

  /** Of the nodes of a cluster. */
  public static CardParts of(ClusterObjects cluster) {
    return new CardParts(cluster.withoutPods(_ -> true));
  }

  /**
   * The cards, or parts of cards, of a replica: of each card the part that it takes of the one of
   * which it takes least, among those that it selects on nodes that let it in; and a whole one
   * where none is known that could serve it.
   */
  public double cards(List<Pod> replica) {
    return replica.stream().mapToLong(pod -> part(pod).milli()).sum() / MILLI;
  }

  /** The models of the cards that could serve a replica, on nodes that let it in. */
  public SortedSet<String> models(List<Pod> replica) {
    var models = new TreeSet<String>();
    replica.forEach(pod -> models.addAll(part(pod).models()));
    return models;
  }

  private CardPart part(Pod pod) {
    var closed =
        nodes
            .of(Node.class)
            .filter(node -> !NodeRules.admit(node, pod))
            .map(node -> node.getMetadata().getName())
            .collect(toSet());
    return ledgers
        .computeIfAbsent(
            closed,
            _ -> nodes.withoutNodes(it -> closed.contains(it.getMetadata().getName())).ledger())
        .partOf(Facts.of(pod));
  }

  /** Whether a replica asks for any. */
  public static boolean areAskedFor(List<Pod> replica) {
    return replica.stream()
        .map(Facts::of)
        .map(READER::read)
        .anyMatch(it -> it instanceof PodDemand.Cards || it instanceof PodDemand.Counted);
  }

  /** Whether an annotation of a replica may decide which it gets, and where. */
  public static boolean dependOn(String annotation) {
    return ClusterObjects.decides(annotation);
  }
}
