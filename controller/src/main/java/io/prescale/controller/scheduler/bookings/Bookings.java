package io.prescale.controller.scheduler.bookings;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.prescale.controller.scheduler.bookings.BookingSpecs.Read;
import io.prescale.controller.scheduler.facts.NodeAdmission;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.controller.scheduler.warm.WarmBooking;
import io.prescale.placement.ledger.Booking;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The GpuBookings as they are written, and the nodes that let their replicas in. Thread-safe. */
public final class Bookings {
  private final BookingSpecs specs;
  private final Map<String, Read> read = new TreeMap<>();
  private final NodeAdmission nodes;

  /**
   * No bookings yet.
   *
   * @param queues in whose words their templates name their queues
   * @param nodes that there are
   */
  public Bookings(QueueSource queues, NodeAdmission nodes) {
    specs = new BookingSpecs(queues);
    this.nodes = nodes;
  }

  /** Records the newest state of a booking. */
  public synchronized void seen(GenericKubernetesResource booking) {
    var now = specs.read(booking);
    read.put(now.key(), now);
  }

  /** Removes a booking that is gone. */
  synchronized void gone(GenericKubernetesResource booking) {
    read.remove(Cache.metaNamespaceKeyFunc(booking));
  }

  /** Those that can be kept to. */
  public synchronized List<Booking> current() {
    return read.values().stream()
        .flatMap(each -> each.terms().stream().map(terms -> terms.among(nodes::of)))
        .toList();
  }

  /** The same, as far as images are pulled for them. */
  public synchronized List<WarmBooking> warm() {
    return read.values().stream().flatMap(each -> each.warm().stream()).toList();
  }

  /** All that are written. */
  synchronized List<Read> all() {
    return List.copyOf(read.values());
  }
}
