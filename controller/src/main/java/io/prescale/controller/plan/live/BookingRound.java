package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.BookingReason;
import io.prescale.controller.api.v1alpha1.BookingStatus;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.api.v1alpha1.GpuBookingSpec;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.plan.ReplicaNeed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One look at what is to be booked: writes the GpuBookings that differ from what their
 * PredictiveHPAs are to have, and deletes those that are asked for no more. A booking has the name
 * of its PredictiveHPA and is deleted with it. What was written before is read from the API server,
 * so that it does not matter which leader wrote it.
 */
final class BookingRound {
  private static final Logger LOG = LoggerFactory.getLogger(BookingRound.class);
  private static final double HIGHEST_PRICE = 1000;

  private final BookingStore store;
  private final Optional<BufferRound> buffers;
  private final List<PredictiveHPA> resources;
  private final BooleanSupplier leads;

  /**
   * A look at what is wanted.
   *
   * @param buffers asks for nodes where cards are missing; empty if that is switched off
   * @param resources all PredictiveHPAs that count
   * @param leads whether this replica is the one that writes; asked before each one, since another
   *     may lead by then, and know newer needs
   */
  BookingRound(
      BookingStore store,
      Optional<BufferRound> buffers,
      List<PredictiveHPA> resources,
      BooleanSupplier leads) {
    this.store = store;
    this.buffers = buffers;
    this.resources = List.copyOf(resources);
    this.leads = leads;
  }

  /** The PredictiveHPAs that ask for bookings and may get some, which need forecasts. */
  List<PredictiveHPA> asking() {
    return resources.stream().filter(BookingRound::books).filter(Wanted::mayBook).toList();
  }

  private static boolean books(PredictiveHPA resource) {
    return resource.unreadable().isEmpty() && resource.getSpec().books();
  }

  /**
   * Writes what has changed; what the server refuses of one stops no other.
   *
   * @return what is booked, as far as this replica led
   */
  List<Booked> write(Function<PredictiveHPA, ServiceForecasts.Known> forecasts, Instant now) {
    var looks = new ArrayList<BookingLook>();
    boolean isComplete = true;
    for (var resource : resources) {
      isComplete &=
          isDone(
              resource,
              () -> {
                if (books(resource)) {
                  looks.add(book(resource, forecasts.apply(resource), now));
                } else if (isDeleted(resource)) {
                  report(resource, null);
                }
              });
    }
    boolean mayGrow = isComplete && looks.stream().allMatch(BookingLook::isComplete);
    var asked = buffers.map(it -> asked(it, looks, mayGrow, now)).orElse(Map.of());
    var booked = new ArrayList<Booked>();
    for (var look : looks) {
      var _ =
          isDone(
              look.resource(),
              () -> {
                var status = look.status(Optional.ofNullable(asked.get(look.name())));
                var meta = look.resource().getMetadata();
                booked.add(new Booked(meta.getNamespace(), meta.getName(), status));
                report(look.resource(), status);
              });
    }
    return booked;
  }

  /** A defect in asking for nodes stops no booking. */
  private static Map<String, AskedNodes> asked(
      BufferRound round, List<BookingLook> looks, boolean mayGrow, Instant now) {
    try {
      return round.write(looks, mayGrow, now);
    } catch (RuntimeException e) {
      LOG.error("No nodes could be asked for.", e);
      return Map.of();
    }
  }

  private boolean isDone(PredictiveHPA resource, Runnable step) {
    if (!leads.getAsBoolean()) {
      return false;
    }
    try {
      step.run();
      return true;
    } catch (KubernetesClientException e) {
      LOG.warn(
          "The booking of {} could not be reported: {}",
          resource.qualifiedName(),
          ApiFailure.text(e));
    } catch (RuntimeException e) {
      LOG.error("The booking of {} could not be made.", resource.qualifiedName(), e);
    }
    return false;
  }

  /**
   * Whether there is no booking any more; asked only where there may be one, so that PredictiveHPAs
   * without bookings cost no request. The buffer goes before the booking that owns it.
   */
  private boolean isDeleted(PredictiveHPA resource) {
    boolean mayBe =
        written(resource).isPresent()
            || (resource.unreadable().isEmpty() && resource.getSpec().booking() != null);
    var own =
        mayBe
            ? store.find(resource).filter(it -> BookingLook.isOf(resource, it))
            : Optional.<GpuBooking>empty();
    if (own.isPresent() && !buffers.map(it -> it.end(own.get())).orElse(true)) {
      return false;
    }
    own.ifPresent(store::delete);
    return true;
  }

  private static Optional<BookingStatus> written(PredictiveHPA resource) {
    return Optional.ofNullable(resource.getStatus()).map(PredictiveHPAStatus::booking);
  }

  private BookingLook book(PredictiveHPA resource, ServiceForecasts.Known known, Instant now) {
    try {
      return bookOrAgain(resource, known, now);
    } catch (KubernetesClientException e) {
      return BookingLook.failed(resource, "The API server: " + ApiFailure.text(e));
    }
  }

  /** Again where the extender has written its part of the booking meanwhile. */
  private BookingLook bookOrAgain(
      PredictiveHPA resource, ServiceForecasts.Known known, Instant now) {
    try {
      return bookAsFound(resource, known, now);
    } catch (KubernetesClientException e) {
      if (!ApiFailure.isConflict(e)) {
        throw e;
      }
      return bookAsFound(resource, known, now);
    }
  }

  private BookingLook bookAsFound(
      PredictiveHPA resource, ServiceForecasts.Known known, Instant now) {
    var present = store.find(resource);
    if (present.filter(it -> !BookingLook.isOf(resource, it)).isPresent()) {
      return BookingLook.refused(
          resource,
          "A GpuBooking of this name exists and is not of this PredictiveHPA; rename or"
              + " delete it.");
    }
    var template = store.target(resource).flatMap(BookedTemplate::of);
    var wanted = Wanted.of(resource, template.isPresent(), known, said(present), now);
    // What was said stands until its times have passed: a new leader has no forecast at first.
    if (wanted.reason() != BookingReason.NoForecast && leads.getAsBoolean()) {
      written(wanted, template, present.map(GpuBooking::getSpec), known)
          .ifPresent(spec -> store.apply(resource, spec, present));
    }
    return new BookingLook(resource, wanted, present, template, true);
  }

  private static List<ReplicaNeed> said(Optional<GpuBooking> booking) {
    return booking.map(GpuBooking::getSpec).map(GpuBookingSpec::needs).orElse(List.of()).stream()
        .map(it -> new ReplicaNeed(it.from(), it.until(), it.replicas(), it.percent()))
        .toList();
  }

  /** What is to be written, if that is news. Without needs, only a booking that has some. */
  private static Optional<GpuBookingSpec> written(
      Wanted wanted,
      Optional<BookedTemplate> template,
      Optional<GpuBookingSpec> before,
      ServiceForecasts.Known known) {
    if (wanted.needs().isEmpty()) {
      return before.filter(it -> !it.needs().isEmpty()).map(GpuBookingSpec::withoutNeeds);
    }
    var of = template.orElseThrow();
    double price = Math.min(HIGHEST_PRICE, known.forecast().orElseThrow().price());
    return Optional.of(of.with(wanted.written(), price))
        .filter(it -> !before.equals(Optional.of(it)));
  }

  /** On news only; again where a tick has written its part of the status meanwhile. */
  private void report(PredictiveHPA resource, @Nullable BookingStatus status) {
    if (written(resource).equals(Optional.ofNullable(status))) {
      return;
    }
    try {
      store.report(resource, status);
    } catch (KubernetesClientException e) {
      var present =
          ApiFailure.isConflict(e) ? store.present(resource) : Optional.<PredictiveHPA>empty();
      if (present.isEmpty() || !leads.getAsBoolean()) {
        throw e;
      }
      store.report(present.get(), status);
    }
  }
}
