package io.prescale.controller.scheduler.extender;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.prescale.controller.scheduler.extender.BookingSpecs.Read;
import io.prescale.controller.scheduler.warm.WarmBooking;
import io.prescale.placement.ledger.Booking;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The GpuBookings as they are written, and the nodes that let their replicas in. Thread-safe. */
final class Bookings {
  private final BookingSpecs specs;
  private final Map<String, Read> read = new TreeMap<>();
  private final NodeAdmission nodes;

  /**
   * No bookings yet.
   *
   * @param queues in whose words their templates name their queues
   * @param nodes that there are
   */
  Bookings(QueueSource queues, NodeAdmission nodes) {
    specs = new BookingSpecs(queues);
    this.nodes = nodes;
  }

  /** Records the newest state of a booking. */
  synchronized void seen(GenericKubernetesResource booking) {
    var now = specs.read(booking);
    read.put(now.key(), now);
  }

  /** Removes a booking that is gone. */
  synchronized void gone(GenericKubernetesResource booking) {
    read.remove(Cache.metaNamespaceKeyFunc(booking));
  }

  /** Those that can be kept to. */
  synchronized List<Booking> current() {
    return read.values().stream()
        .flatMap(each -> each.terms().stream().map(terms -> terms.among(nodes::of)))
        .toList();
  }

  /** The same, as far as images are pulled for them. */
  synchronized List<WarmBooking> warm() {
    return read.values().stream().flatMap(each -> each.warm().stream()).toList();
  }

  /** All that are written. */
  synchronized List<Read> all() {
    return List.copyOf(read.values());
  }
}
