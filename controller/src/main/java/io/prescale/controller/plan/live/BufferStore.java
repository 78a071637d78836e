package io.prescale.controller.plan.live;

import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.plan.BufferWish.Held;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Where CapacityBuffers are written down; a buffer has the name of its booking. */
interface BufferStore {
  /**
   * A CapacityBuffer.
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
  }

  /** Whether the API server has any. */
  boolean isServed();

  /** The buffer of the booking's name, of any owner. */
  Optional<Buffer> find(GpuBooking booking);

  /** Makes it what it is to be, owned by the booking, for replicas of a template. */
  void apply(GpuBooking booking, BookedTemplate template, Buffer buffer);

  /** Has it hold nothing, whatever the template. */
  void release(GpuBooking booking);

  void delete(GpuBooking booking);

  /** The cards, or parts of cards, that a replica takes of nodes like those that there are. */
  double cards(BookedTemplate template);

  /** Whether a node with one of these resources was created since, and is ready. */
  boolean hasNodeSince(Instant time, Set<String> resources);
}
