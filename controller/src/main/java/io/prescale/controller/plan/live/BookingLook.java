package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.prescale.controller.api.v1alpha1.BookingCondition;
import io.prescale.controller.api.v1alpha1.BookingReason;
import io.prescale.controller.api.v1alpha1.BookingStatus;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.api.v1alpha1.GpuBookingSpec;
import io.prescale.controller.api.v1alpha1.GpuBookingStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.plan.RoomAhead;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What one look has decided about the booking of a PredictiveHPA.
 *
 * @param booking as it was read, before it was written; empty if there was none, or another's
 * @param template of the target; empty if it is not booked for
 * @param isComplete whether all was read and written that it needed
 */
record BookingLook(
    PredictiveHPA resource,
    Wanted wanted,
    Optional<GpuBooking> booking,
    Optional<BookedTemplate> template,
    boolean isComplete) {

  /** One whose booking is another's. */
  static BookingLook refused(PredictiveHPA resource, String message) {
    return new BookingLook(
        resource, Wanted.refused(message), Optional.empty(), Optional.empty(), true);
  }

  /** One that the API server did not answer. */
  static BookingLook failed(PredictiveHPA resource, String message) {
    return new BookingLook(
        resource, Wanted.refused(message), Optional.empty(), Optional.empty(), false);
  }

  /** Whether a booking is owned by a PredictiveHPA. */
  static boolean isOf(PredictiveHPA resource, GpuBooking booking) {
    return booking.getMetadata().getOwnerReferences().stream()
        .map(OwnerReference::getUid)
        .anyMatch(Objects.requireNonNull(resource.getMetadata().getUid())::equals);
  }

  String name() {
    return resource.qualifiedName();
  }

  /** Whether there was no new forecast, so that what was said goes on. */
  boolean goesOn() {
    return wanted.reason() == BookingReason.NoForecast;
  }

  /**
   * What the scheduler says the replicas need. Nothing while nothing is wanted, and unknown while
   * it speaks of another version of the booking. What it said once counts no longer than the needs
   * of which it spoke: it may have ended itself.
   */
  Optional<List<RoomAhead>> room(Instant now) {
    if (goesOn() ? isOver(now) : wanted.needs().isEmpty()) {
      return Optional.of(List.of());
    }
    return booking
        .filter(it -> goesOn() || it.getSpec().needs().equals(wanted.written()))
        .flatMap(it -> current(it))
        .map(GpuBookingStatus::room)
        .map(
            all ->
                all.stream()
                    .map(it -> new RoomAhead(it.from(), it.replicas(), it.missing()))
                    .toList());
  }

  private boolean isOver(Instant now) {
    return booking.map(GpuBooking::getSpec).map(GpuBookingSpec::needs).orElse(List.of()).stream()
        .noneMatch(it -> it.until().isAfter(now));
  }

  private static Optional<GpuBookingStatus> current(GpuBooking booking) {
    return Optional.ofNullable(booking.getStatus())
        .filter(
            it -> Objects.equals(it.observedGeneration(), booking.getMetadata().getGeneration()));
  }

  /** Since when the scheduler says that there is no room; other reasons need no nodes. */
  Optional<Instant> missingSince() {
    return booking.flatMap(BookingLook::current).stream()
        .flatMap(it -> it.conditions().stream())
        .filter(it -> it.type() == BookingCondition.Type.Ready)
        .filter(it -> it.reason() == BookingCondition.Reason.NoRoom)
        .map(BookingCondition::lastTransitionTime)
        .findFirst();
  }

  /** What the status of the PredictiveHPA says. */
  BookingStatus status(Optional<AskedNodes> asked) {
    var status = warm().map(it -> wanted.status().with(it)).orElseGet(wanted::status);
    return asked.map(it -> it.in(status)).orElse(status);
  }

  /** What is said of images that are pulled ahead, while something is wanted. */
  private Optional<String> warm() {
    return booking.filter(_ -> !wanted.needs().isEmpty()).flatMap(BookingLook::current).stream()
        .flatMap(it -> it.conditions().stream())
        .filter(it -> it.type() == BookingCondition.Type.Warm)
        .map(BookingCondition::message)
        .findFirst();
  }
}
