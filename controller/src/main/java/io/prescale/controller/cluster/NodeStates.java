package io.prescale.controller.cluster;

import io.fabric8.kubernetes.api.model.Node;

/** What a node says about itself that decides whether pods can be put on it. */
public final class NodeStates {
  private NodeStates() {}

  /** Whether its kubelet says that it is ready. */
  public static boolean isReady(Node node) {
    var status = node.getStatus();
    return status != null
        && status.getConditions() != null
        && status.getConditions().stream()
            .anyMatch(c -> "Ready".equals(c.getType()) && "True".equals(c.getStatus()));
  }

  /** Whether new pods are kept from it. */
  public static boolean isCordoned(Node node) {
    return node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
  }
}
