package io.prescale.controller.plan.live;

import static io.prescale.controller.plan.live.BookedServices.SIX;
import static io.prescale.controller.plan.live.BookedServices.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.BookingCondition;
import io.prescale.controller.api.v1alpha1.BookingCondition.Reason;
import io.prescale.controller.api.v1alpha1.BookingMode;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.api.v1alpha1.GpuBookingStatus;
import io.prescale.controller.api.v1alpha1.Mode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a booking's status means for nodes. */
class BookingLookTest {
  /** It may have lasted for an hour that the queue is not owed its cards. */
  @ParameterizedTest
  @CsvSource({"NoRoom, true", "NotOwed, false", "NotWorth, false", "NotBound, false"})
  void onlyAsLongAsThereIsNoRoomCardsAreMissing(Reason reason, boolean areMissing) {
    var booking = new GpuBooking();
    booking.getMetadata().setGeneration(1L);
    var condition =
        new BookingCondition(
            BookingCondition.Type.Ready, ConditionStatus.False, 1L, SIX, reason, "");
    booking.setStatus(
        new GpuBookingStatus(1L, 3, 0, 0, 2, SIX, List.of(), null, List.of(condition)));
    var look =
        new BookingLook(
            service("chat", Mode.Active, BookingMode.Book),
            Wanted.refused(""),
            Optional.of(booking),
            Optional.empty(),
            true);

    assertThat(look.missingSince().isPresent()).isEqualTo(areMissing);
  }
}
