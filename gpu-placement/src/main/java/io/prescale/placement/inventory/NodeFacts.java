package io.prescale.placement.inventory;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

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
  private static final Set<String> KEYS = keys();

  public NodeFacts {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
    allocatable = Map.copyOf(allocatable);
    if (name.isBlank()) {
      throw new IllegalArgumentException("the name of a node is blank");
    }
  }

  private static Set<String> keys() {
    var keys = new HashSet<String>();
    Families.ALL.forEach(family -> keys.add(family.registerKey()));
    keys.addAll(Set.of(LinkScores.KEY, NodeInventory.CORDON));
    return Set.copyOf(keys);
  }

  /** Whether a label of nodes says something about devices. */
  public static boolean isLabelOfDevices(String key) {
    return GpuLabels.isOfDevices(key);
  }

  /** Whether an annotation of nodes says something about devices. */
  public static boolean isOfDevices(String key) {
    return KEYS.contains(key);
  }
}
