package io.prescale.controller.scheduler.bookings;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.cluster.BriefObjects;
import io.prescale.controller.cluster.BrokenWatch;
import io.prescale.controller.cluster.ObjectEvents;
import io.prescale.controller.cluster.ServedKind;
import io.prescale.controller.cluster.StatusReports;
import io.prescale.controller.scheduler.reclaim.BookingState;
import io.prescale.controller.scheduler.warm.WarmReport;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Watches GpuBookings, and writes their statuses. */
public final class BookingFeed implements AutoCloseable {
  public static final ResourceDefinitionContext BOOKINGS =
      ResourceDefinitionContext.fromResourceType(GpuBooking.class);

  private final Bookings bookings;
  private final StatusReports reports;
  private final SharedIndexInformer<GenericKubernetesResource> informer;

  private BookingFeed(KubernetesClient client, Bookings bookings) {
    this.bookings = bookings;
    reports = new StatusReports(client, BOOKINGS, List.of("missingFrom", "images"));
    informer =
        client
            .genericKubernetesResources(BOOKINGS)
            .inAnyNamespace()
            .withLimit(BriefObjects.PAGE)
            .runnableInformer(0);
    informer.addEventHandler(new ObjectEvents<>(bookings::seen, bookings::gone));
    informer.exceptionHandler(BrokenWatch.retried(informer, "GpuBookings"));
  }

  /** Starts watching, if the API server serves GpuBookings. */
  public static Optional<BookingFeed> start(KubernetesClient client, Bookings bookings) {
    if (!ServedKind.isServed(client, BOOKINGS)) {
      return Optional.empty();
    }
    var feed = new BookingFeed(client, bookings);
    feed.informer.start();
    return Optional.of(feed);
  }

  /** Whether all bookings have been observed once. */
  public boolean isComplete() {
    return informer.hasSynced();
  }

  /**
   * Writes the statuses that have news.
   *
   * @param states of those that expect replicas now
   * @param images what is said of their images; empty where none are pulled ahead
   */
  public void report(
      Map<String, BookingState> states, Optional<Map<String, WarmReport>> images, Instant now) {
    reports.report(
        bookings.all(),
        BookingSpecs.Read::booking,
        read ->
            BookingStatuses.of(
                read, states.getOrDefault(read.key(), BookingState.NONE), images, now));
  }

  @Override
  public void close() {
    informer.stop();
  }
}
