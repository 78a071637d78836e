package io.prescale.controller.plan.cluster;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingDouble;
import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.scheduler.facts.Facts;
import io.prescale.controller.scheduler.facts.NodeRules;
import io.prescale.controller.scheduler.objects.ClusterObjects;
import io.prescale.controller.scheduler.whatif.ReplicaPods;
import io.prescale.placement.inventory.NodeInventory;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Phase;
import io.prescale.placement.ledger.CardAmounts;
import io.prescale.placement.ledger.QueueState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The cards on the ready nodes of a cluster by model, and which pods hold them. */
public final class CardsThere {
  private static final double MILLI = 1000;

  private final ClusterObjects cluster;
  private final List<NodeInventory> nodes;
  private final List<Holder> holders;

  /** What queues hold beyond their guarantees that give such cards back. */
  private final Map<String, Double> lent;

  /** A pod with cards, and the models of the cards of its node. */
  private record Holder(Pod pod, String node, String queue, Set<String> models, double cards) {}

  /**
   * The cards of some models.
   *
   * @param all how many there are
   * @param held by pods of other workloads, of these
   * @param lent of those that are held, how many at most could be taken back
   */
  public record Count(double all, double held, double lent) {
    public Count {
      if (all < 0 || held < 0 || lent < 0 || lent > held) {
        throw new IllegalArgumentException(
            "of %s cards others hold %s, of which %s are lent".formatted(all, held, lent));
      }
    }

    /** Those that others do not keep. */
    public double left() {
      return all - held + lent;
    }
  }

  private CardsThere(
      ClusterObjects cluster,
      List<NodeInventory> nodes,
      List<Holder> holders,
      Map<String, Double> lent) {
    this.cluster = cluster;
    this.nodes = nodes;
    this.holders = holders;
    this.lent = lent;
  }

  /** Those of a cluster. O(nodes · objects). */
  public static CardsThere of(ClusterObjects cluster) {
    var nodes = cluster.inventories();
    var bound =
        cluster
            .of(Pod.class)
            .filter(pod -> Facts.of(pod).phase() != Phase.FINISHED)
            .filter(pod -> CardParts.areAskedFor(List.of(pod)))
            .collect(groupingBy(pod -> String.valueOf(pod.getSpec().getNodeName())));
    var bare = cluster.withoutPods(_ -> true);
    var holders = new ArrayList<Holder>();
    for (var node : nodes) {
      var models = CardAmounts.byModel(List.of(node)).keySet();
      var pods = bound.getOrDefault(node.spec().name(), List.of());
      if (!pods.isEmpty() && !models.isEmpty()) {
        var parts = CardParts.of(only(node.spec().name(), bare));
        pods.forEach(
            pod ->
                holders.add(
                    new Holder(
                        pod,
                        node.spec().name(),
                        queue(pod, cluster),
                        Set.copyOf(models),
                        parts.cards(List.of(pod)))));
      }
    }
    return new CardsThere(cluster, nodes, holders, lent(cluster));
  }

  private static ClusterObjects only(String name, ClusterObjects nodes) {
    return nodes.withoutNodes((Node node) -> !node.getMetadata().getName().equals(name));
  }

  private static String queue(Pod pod, ClusterObjects cluster) {
    return cluster.queue(pod).orElse(PodFacts.DEFAULT_QUEUE);
  }

  private static Map<String, Double> lent(ClusterObjects cluster) {
    var giving = cluster.policies().keySet();
    var lent = new HashMap<String, Double>();
    for (QueueState queue : cluster.ledger().queues()) {
      if (giving.contains(queue.name())) {
        lent.put(queue.name(), queue.borrowedMilli() / MILLI);
      }
    }
    return lent;
  }

  /** The nodes that let some pod in of a replica that asks for cards. */
  public Set<String> nodes(ReplicaPods service) {
    return cluster
        .of(Node.class)
        .filter(
            node ->
                service.one().stream()
                    .filter(pod -> CardParts.areAskedFor(List.of(pod)))
                    .anyMatch(pod -> NodeRules.admit(node, pod)))
        .map(node -> node.getMetadata().getName())
        .collect(toSet());
  }

  /**
   * Those of some models.
   *
   * @param services that ask for them, at least one, and are let in by the same nodes; a queue
   *     gives nothing back to itself
   */
  public Count of(Collection<String> models, List<ReplicaPods> services) {
    var open = nodes(services.getFirst());
    var queues = services.stream().map(it -> queue(it.one().getFirst(), cluster)).collect(toSet());
    double all =
        CardAmounts.byModel(nodes.stream().filter(it -> open.contains(it.spec().name())).toList())
            .entrySet()
            .stream()
            .filter(it -> models.contains(it.getKey()))
            .mapToLong(Map.Entry::getValue)
            .sum();
    var others =
        holders.stream()
            .filter(it -> open.contains(it.node()))
            .filter(it -> !Collections.disjoint(it.models(), models))
            .filter(it -> services.stream().noneMatch(service -> service.has(it.pod())))
            .collect(groupingBy(Holder::queue, summingDouble(Holder::cards)));
    double held = others.values().stream().mapToDouble(Double::doubleValue).sum();
    double back =
        others.entrySet().stream()
            .filter(it -> !queues.contains(it.getKey()))
            .mapToDouble(it -> Math.min(it.getValue(), lent.getOrDefault(it.getKey(), 0.0)))
            .sum();
    return new Count(all / MILLI, held, Math.min(held, back));
  }
}
