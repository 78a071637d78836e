package io.prescale.controller.plan.live;

import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.plan.BufferWish.Held;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Objects by which an autoscaler is asked for nodes, such as CapacityBuffers: one for a booking.
 */
interface BufferStore {
  /**
   * What a booking has asked for.
   *
   * @param isOwn whether the booking owns it
   * @param shape a digest of the template of a replica
   * @param held for how many replicas, and which
   * @param askedSince since when nodes are asked for that have not come; empty if none are
   */
  record Buffer(boolean isOwn, String shape, Held held, Optional<Instant> askedSince) {
    /** None. */
    static final Buffer NONE = new Buffer(true, "", Held.NONE, Optional.empty());

    int replicas() {
      return held.replicas();
    }

    /** The same, as far as another template asks for it or will: it has to be written again. */
    Buffer unwritten() {
      return new Buffer(isOwn, "", held, askedSince);
    }
  }

  /** What asks, as in {@code CapacityBuffers ask}. */
  String asks();

  /** Whether the API server has any. */
  boolean isServed();

  /** Whether it can ask for replicas like these. */
  boolean suits(BookedTemplate template);

  /** The buffer of a booking, of any owner; empty also where the API server has none at all. */
  Optional<Buffer> find(GpuBooking booking);

  /** Makes it what it is to be, owned by the booking, for replicas of a template. */
  void apply(GpuBooking booking, BookedTemplate template, Buffer buffer);

  /** Has it hold nothing, whatever the template. */
  default void release(GpuBooking booking) {
    delete(booking);
  }

  void delete(GpuBooking booking);

  /** Whether a booking may have one; says no only for certain. */
  default boolean mayHold(GpuBooking booking) {
    return true;
  }

  /** Does what is needed in each look while something is held. */
  default void tend(GpuBooking booking) {}

  /**
   * Deletes what is not deleted with its booking by the API server.
   *
   * @param bookings UIDs of all that there are
   */
  default void retain(Set<String> bookings) {}
}
