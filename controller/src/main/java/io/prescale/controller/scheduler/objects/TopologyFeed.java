package io.prescale.controller.scheduler.objects;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.cluster.CurrentWatches;
import io.prescale.controller.cluster.ObjectEvents;
import io.prescale.controller.cluster.ServedKind;
import io.prescale.controller.scheduler.facts.Facts;
import io.prescale.placement.cluster.NetworkLevels;
import io.prescale.placement.inventory.NetworkLabels;
import io.prescale.placement.ledger.Ledger;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Reports the levels of the network that Topologies of Kueue and KAI name to the ledger; without
 * any, those that are known by their labels. Both are cluster-scoped, and have the same fields.
 */
public final class TopologyFeed {
  static final List<ResourceDefinitionContext> KINDS =
      List.of(
          ServedKind.of("kueue.x-k8s.io", "v1beta2", "Topology", "topologies", false),
          ServedKind.of("kai.scheduler", "v1alpha1", "Topology", "topologies", false));

  private final Ledger ledger;
  private final SharedIndexInformer<Node> nodes;
  private final Map<String, List<String>> known = new TreeMap<>();

  private TopologyFeed(Ledger ledger, SharedIndexInformer<Node> nodes) {
    this.ledger = ledger;
    this.nodes = nodes;
  }

  /**
   * Starts watching the kinds that the API server serves, unless levels are listed.
   *
   * @param nodes whose positions are found anew when the levels change
   */
  public static void start(
      KubernetesClient client,
      Ledger ledger,
      Optional<NetworkLevels> listed,
      SharedIndexInformer<Node> nodes,
      CurrentWatches watches) {
    if (listed.isPresent()) {
      return;
    }
    var feed = new TopologyFeed(ledger, nodes);
    for (var informer : ServedKind.informers("Topologies", client, KINDS, watches)) {
      informer.addEventHandler(new ObjectEvents<>(feed::seen, feed::gone));
      informer.start();
    }
  }

  private synchronized void seen(GenericKubernetesResource topology) {
    known.put(key(topology), labels(topology));
    report();
  }

  private synchronized void gone(GenericKubernetesResource topology) {
    known.remove(key(topology));
    report();
  }

  private static String key(GenericKubernetesResource topology) {
    return topology.getApiVersion() + "/" + topology.getMetadata().getName();
  }

  /** The labels of the levels, the largest level first. */
  static List<String> labels(GenericKubernetesResource topology) {
    return topology.get("spec", "levels") instanceof List<?> levels
        ? levels.stream().flatMap(TopologyFeed::label).toList()
        : List.of();
  }

  private static Stream<String> label(Object level) {
    return level instanceof Map<?, ?> map && map.get("nodeLabel") instanceof String label
        ? Stream.of(label)
        : Stream.of();
  }

  /** The levels that Topologies name; without any, those that are known by their labels. */
  static NetworkLevels levels(Stream<GenericKubernetesResource> topologies) {
    var known = new TreeMap<String, List<String>>();
    topologies.forEach(it -> known.put(key(it), labels(it)));
    return levels(known.values());
  }

  private static NetworkLevels levels(Collection<List<String>> known) {
    return known.isEmpty() ? NetworkLabels.KNOWN : NetworkLabels.of(known);
  }

  private void report() {
    var levels = levels(known.values());
    if (!levels.equals(ledger.levels())) {
      // A node event is handled after the store has the node, or has lost it.
      synchronized (nodes) {
        var all = nodes.getStore().list().stream().map(node -> Facts.of(node, levels)).toList();
        ledger.levels(levels, all);
      }
    }
  }
}
