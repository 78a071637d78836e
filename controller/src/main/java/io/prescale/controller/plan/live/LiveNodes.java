package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.NodeStates;
import io.prescale.controller.plan.cluster.CardParts;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The nodes of the API server. For one look. Not thread-safe. */
final class LiveNodes implements NodeStore {
  private final KubernetesClient client;

  /** Of the nodes that there are, once it was asked. */
  private @Nullable CardParts parts;

  LiveNodes(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public double cards(BookedTemplate template) {
    var known = parts;
    if (known == null) {
      known = CardParts.of(nodes());
      parts = known;
    }
    return template.cards(known);
  }

  @Override
  public boolean hasNodeSince(Instant time, Set<String> resources) {
    return nodes().stream()
        .filter(node -> !Instant.parse(node.getMetadata().getCreationTimestamp()).isBefore(time))
        .anyMatch(node -> NodeStates.isReady(node) && hasAny(node, resources));
  }

  /** Without the right to list nodes nothing is known of them. */
  private List<Node> nodes() {
    try {
      return client.nodes().list().getItems();
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        return List.of();
      }
      throw e;
    }
  }

  private static boolean hasAny(Node node, Set<String> resources) {
    var allocatable = node.getStatus().getAllocatable();
    return allocatable != null
        && resources.stream()
            .map(allocatable::get)
            .anyMatch(it -> it != null && it.getNumericalAmount().signum() > 0);
  }
}
