package io.prescale.controller.scheduler.extender;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.api.v1alpha1.GpuBookingStatus;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.BrokenWatch;
import io.prescale.controller.cluster.ObjectEvents;
import io.prescale.controller.cluster.ServedKind;
import io.prescale.controller.scheduler.reclaim.BookingState;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches GpuBookings, and writes their statuses. */
final class BookingFeed implements AutoCloseable {
  static final ResourceDefinitionContext BOOKINGS =
      ResourceDefinitionContext.fromResourceType(GpuBooking.class);

  /** The limit of one round, so that many bookings do not flood the API server. */
  private static final int MOST_AT_ONCE = 20;

  private static final Logger LOG = LoggerFactory.getLogger(BookingFeed.class);

  private final KubernetesClient client;
  private final Bookings bookings;
  private final SharedIndexInformer<GenericKubernetesResource> informer;

  private BookingFeed(KubernetesClient client, Bookings bookings) {
    this.client = client;
    this.bookings = bookings;
    informer = client.genericKubernetesResources(BOOKINGS).inAnyNamespace().runnableInformer(0);
    informer.addEventHandler(new ObjectEvents<>(bookings::seen, bookings::gone));
    informer.exceptionHandler(BrokenWatch.retried(informer, "GpuBookings"));
  }

  /** Starts watching, if the API server serves GpuBookings. */
  static Optional<BookingFeed> start(KubernetesClient client, Bookings bookings) {
    if (!ServedKind.isServed(client, BOOKINGS)) {
      return Optional.empty();
    }
    var feed = new BookingFeed(client, bookings);
    feed.informer.start();
    return Optional.of(feed);
  }

  /** Whether all bookings have been observed once. */
  boolean isComplete() {
    return informer.hasSynced();
  }

  /**
   * Writes the statuses that have news.
   *
   * @param states of those that expect replicas now
   */
  void report(Map<String, BookingState> states, Instant now) {
    int sent = 0;
    for (var read : bookings.all()) {
      var status =
          BookingStatuses.of(read, states.getOrDefault(read.key(), BookingState.NONE), now);
      if (!status.equals(read.booking().getStatus())) {
        if (!write(read.booking(), status) || ++sent == MOST_AT_ONCE) {
          return;
        }
      }
    }
  }

  /** Whether the server answered: if not, the next write would wait for it too. */
  private boolean write(GpuBooking booking, GpuBookingStatus status) {
    var meta = booking.getMetadata();
    try {
      client
          .genericKubernetesResources(BOOKINGS)
          .inNamespace(meta.getNamespace())
          .withName(meta.getName())
          .subresource("status")
          .patch(PatchContext.of(PatchType.JSON_MERGE), patch(status));
      return true;
    } catch (KubernetesClientException e) {
      LOG.warn(
          "The status of GpuBooking {}/{} was not written: {}",
          meta.getNamespace(),
          meta.getName(),
          ApiFailure.text(e));
      return e.getCode() >= 400 && e.getCode() < 500;
    }
  }

  /** What is no longer so has to be removed by name. */
  private String patch(GpuBookingStatus status) {
    var json = client.getKubernetesSerialization();
    var fields = Objects.requireNonNull(json.convertValue(status, ObjectNode.class));
    if (!fields.has("missingFrom")) {
      fields.putNull("missingFrom");
    }
    return "{\"status\":" + fields + "}";
  }

  @Override
  public void close() {
    informer.stop();
  }
}
