package io.prescale.controller.inventory;

import java.util.Map;

/**
 * What the API server says of a node, as far as it matters here.
 *
 * @param allocatable amounts of extended resources; others need not be there
 * @param ready whether its kubelet says so
 * @param cordoned whether it is unschedulable
 */
public record NodeFacts(
    String name,
    Map<String, String> labels,
    Map<String, String> annotations,
    Map<String, Long> allocatable,
    boolean ready,
    boolean cordoned) {
  public NodeFacts {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
    allocatable = Map.copyOf(allocatable);
    if (name.isBlank()) {
      throw new IllegalArgumentException("the name of a node is blank");
    }
  }
}
