package io.prescale.placement.inventory;

import io.prescale.placement.cluster.NodePosition;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A node as the API server has it, as far as placement needs it.
 *
 * @param allocatable amounts of extended resources; others may be absent
 * @param capacity the same, with what sick devices would give
 * @param ready whether its kubelet says so
 * @param cordoned whether it is unschedulable
 * @param position where in the network it is
 * @param images canonical names of the images that it has, as {@link ImageNames} makes them
 */
public record NodeFacts(
    String name,
    Map<String, String> labels,
    Map<String, String> annotations,
    Map<String, Long> allocatable,
    Map<String, Long> capacity,
    boolean ready,
    boolean cordoned,
    NodePosition position,
    Set<String> images) {
  private static final Set<String> KEYS = keys();

  public NodeFacts {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
    allocatable = Map.copyOf(allocatable);
    capacity = Map.copyOf(capacity);
    images = Set.copyOf(images);
    if (name.isBlank()) {
      throw new IllegalArgumentException("the name of a node is blank");
    }
  }

  /** A node with sound devices, whose position and images are unknown. */
  public NodeFacts(
      String name,
      Map<String, String> labels,
      Map<String, String> annotations,
      Map<String, Long> allocatable,
      boolean ready,
      boolean cordoned) {
    this(
        name,
        labels,
        annotations,
        allocatable,
        allocatable,
        ready,
        cordoned,
        NodePosition.UNKNOWN,
        Set.of());
  }

  /** A copy elsewhere in the network. */
  public NodeFacts at(NodePosition newPosition) {
    return new NodeFacts(
        name, labels, annotations, allocatable, capacity, ready, cordoned, newPosition, images);
  }

  /** A copy with other images. */
  public NodeFacts with(Set<String> newImages) {
    return new NodeFacts(
        name, labels, annotations, allocatable, capacity, ready, cordoned, position, newImages);
  }

  private static Set<String> keys() {
    var keys = new HashSet<String>();
    Families.ALL.forEach(family -> keys.add(family.registerKey()));
    keys.addAll(Set.of(LinkScores.KEY, NodeInventory.CORDON));
    return Set.copyOf(keys);
  }

  /** Whether a label of nodes is about devices. */
  public static boolean isLabelOfDevices(String key) {
    return GpuLabels.isOfDevices(key);
  }

  /** Whether an annotation of nodes is about devices. */
  public static boolean isOfDevices(String key) {
    return KEYS.contains(key);
  }
}
