package io.prescale.controller.scheduler.bookings;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.cluster.BriefObjects;
import io.prescale.controller.cluster.CurrentWatches;
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
public final class BookingFeed {
  public static final ResourceDefinitionContext BOOKINGS =
      ResourceDefinitionContext.fromResourceType(GpuBooking.class);

  private final Bookings bookings;
  private final StatusReports reports;

  private BookingFeed(KubernetesClient client, Bookings bookings) {
    this.bookings = bookings;
    reports = new StatusReports(client, BOOKINGS, List.of("missingFrom", "images"));
  }

  /** Starts watching, if the API server serves GpuBookings. */
  public static Optional<BookingFeed> start(
      KubernetesClient client, Bookings bookings, CurrentWatches watches) {
    if (!ServedKind.isServed(client, BOOKINGS)) {
      return Optional.empty();
    }
    var all = client.genericKubernetesResources(BOOKINGS).inAnyNamespace();
    var informer = watches.optional("GpuBookings", all, BriefObjects.PAGE);
    informer.addEventHandler(new ObjectEvents<>(bookings::seen, bookings::gone));
    informer.start();
    return Optional.of(new BookingFeed(client, bookings));
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
}
