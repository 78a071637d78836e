package io.prescale.controller.cluster;

import io.fabric8.kubernetes.api.model.Node;

/** The conditions of a node that determine whether it takes pods. */
public final class NodeStates {
  private NodeStates() {}

  /** Whether the kubelet reports the node as ready. */
  public static boolean isReady(Node node) {
    var status = node.getStatus();
    return status != null
        && status.getConditions() != null
        && status.getConditions().stream()
            .anyMatch(c -> "Ready".equals(c.getType()) && "True".equals(c.getStatus()));
  }

  /** Whether the node is closed to new pods. */
  public static boolean isCordoned(Node node) {
    return node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
  }
}
