package io.prescale.placement.inventory;

import java.util.Map;

/**
 * Pods of a namespace that have all of some labels.
 *
 * @param labels one or more
 */
public record PodSelector(String namespace, Map<String, String> labels) {
  public PodSelector {
    labels = Map.copyOf(labels);
    if (namespace.isBlank() || labels.isEmpty()) {
      throw new IllegalArgumentException(
          "pods of namespace \"%s\" with the labels %s; give a namespace and a label or more"
              .formatted(namespace, labels));
    }
  }

  /** Whether a pod is one of them. */
  public boolean matches(PodFacts pod) {
    return pod.namespace().equals(namespace)
        && pod.labels().entrySet().containsAll(labels.entrySet());
  }
}
