package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.prescale.controller.api.v1alpha1.BookingStatus;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.api.v1alpha1.GpuBookingSpec;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where bookings are written down; a booking has the name of its PredictiveHPA. */
interface BookingStore {
  /** What the PredictiveHPA scales. */
  Optional<HasMetadata> target(PredictiveHPA resource);

  /** The booking of this name, of any owner. */
  Optional<GpuBooking> find(PredictiveHPA resource);

  /**
   * Makes it what it is to be, owned by the PredictiveHPA.
   *
   * @param seen the booking that was found; one that has changed since is a conflict
   */
  void apply(PredictiveHPA resource, GpuBookingSpec spec, Optional<GpuBooking> seen);

  void delete(GpuBooking booking);

  /**
   * Writes the part of the PredictiveHPA's status that is about bookings; one that has changed
   * since it was read is a conflict.
   */
  void report(PredictiveHPA resource, @Nullable BookingStatus status);

  /** The PredictiveHPA as it is now; empty if it is gone, or was made anew. */
  Optional<PredictiveHPA> present(PredictiveHPA resource);
}
