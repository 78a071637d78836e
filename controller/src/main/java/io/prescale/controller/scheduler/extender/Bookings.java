package io.prescale.controller.scheduler.extender;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.scheduler.extender.BookingSpecs.Read;
import io.prescale.placement.ledger.Booking;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The GpuBookings as they are written, and the nodes that let their replicas in. Thread-safe.
 *
 * <p>Nodes change with every heartbeat, their labels and taints seldom: only then are they compared
 * again.
 */
final class Bookings {
  private final BookingSpecs specs;
  private final Map<String, Read> read = new TreeMap<>();
  private final Map<String, Node> nodes = new HashMap<>();

  /** By booking; empty once labels or taints of a node have changed. */
  private final Map<String, Set<String>> admitting = new HashMap<>();

  /**
   * No bookings yet.
   *
   * @param queues in whose words their templates name their queues
   */
  Bookings(QueueSource queues) {
    specs = new BookingSpecs(queues);
  }

  /** Records the newest state of a booking. */
  synchronized void seen(GenericKubernetesResource booking) {
    var now = specs.read(booking);
    read.put(now.key(), now);
    admitting.remove(now.key());
  }

  /** Removes a booking that is gone. */
  synchronized void gone(GenericKubernetesResource booking) {
    read.remove(BookingSpecs.key(booking));
    admitting.remove(BookingSpecs.key(booking));
  }

  /** Records the newest state of a node. */
  synchronized void seen(Node node) {
    var now = NodeRules.brief(node);
    if (!now.equals(nodes.put(node.getMetadata().getName(), now))) {
      admitting.clear();
    }
  }

  /** Removes a node that is gone. */
  synchronized void gone(Node node) {
    nodes.remove(node.getMetadata().getName());
    admitting.clear();
  }

  /** Those that can be kept to. */
  synchronized List<Booking> current() {
    return read.values().stream()
        .flatMap(
            each -> each.terms().stream().map(terms -> terms.among(admitting(each.key(), terms))))
        .toList();
  }

  private Set<String> admitting(String key, BookingSpecs.Terms terms) {
    return admitting.computeIfAbsent(key, _ -> admitting(terms.pod()));
  }

  private Set<String> admitting(Pod pod) {
    return nodes.values().stream()
        .filter(node -> NodeRules.admit(node, pod))
        .map(node -> Objects.requireNonNull(node.getMetadata().getName()))
        .collect(Collectors.toSet());
  }

  /** All that are written. */
  synchronized List<Read> all() {
    return List.copyOf(read.values());
  }
}
