package io.prescale.controller.plan.live;

import static io.prescale.controller.plan.live.BookedServices.MORNING;
import static io.prescale.controller.plan.live.BookedServices.at;
import static io.prescale.controller.plan.live.BookedServices.deployment;
import static io.prescale.controller.plan.live.BookedServices.service;

import io.prescale.controller.api.v1alpha1.BookingCondition;
import io.prescale.controller.api.v1alpha1.BookingMode;
import io.prescale.controller.api.v1alpha1.BookingRoom;
import io.prescale.controller.api.v1alpha1.BookingStatus;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.GpuBookingStatus;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A service of which three replicas are created at 07:55, and the scheduler misses cards for two.
 */
final class MissingCards {
  final FakeBookings bookings = new FakeBookings();
  final FakeBuffers buffers = new FakeBuffers();
  final List<PredictiveHPA> others = new ArrayList<>();
  List<BufferStore> stores = List.of(buffers);
  PredictiveHPA chat = service("chat", Mode.Active, BookingMode.Book);

  MissingCards() {
    bookings.targets.put("chat", deployment("chat", 1));
    look(at("07:00"));
    missing(2, 3);
  }

  /** The scheduler says of three replicas, or fewer, for how many cards are missing. */
  void missing(int missing, int replicas) {
    var booking = bookings.get("chat");
    var condition =
        new BookingCondition(
            BookingCondition.Type.Ready,
            missing > 0 ? ConditionStatus.False : ConditionStatus.True,
            1L,
            at("07:00"),
            missing > 0 ? BookingCondition.Reason.NoRoom : BookingCondition.Reason.NotYet,
            "");
    booking.setStatus(
        new GpuBookingStatus(
            booking.getMetadata().getGeneration(),
            replicas,
            0,
            0,
            missing,
            missing > 0 ? at("07:55") : null,
            replicas == 0 ? List.of() : List.of(new BookingRoom(at("07:55"), replicas, missing)),
            null,
            List.of(condition)));
  }

  BookingStatus look(Instant now) {
    return look(MORNING, BufferRoundTest.EIGHT, now);
  }

  BookingStatus look(ServiceForecasts.Known forecast, BufferSettings settings, Instant now) {
    buffers.log.clear();
    var services = new ArrayList<>(others);
    services.add(chat);
    var round = new BufferRound(stores, buffers, settings, () -> true);
    return new BookingRound(bookings, Optional.of(round), services, () -> true)
        .write(_ -> forecast, now).stream()
            .filter(it -> it.name().equals("chat"))
            .findFirst()
            .orElseThrow()
            .status();
  }
}
