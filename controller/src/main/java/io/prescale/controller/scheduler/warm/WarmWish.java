package io.prescale.controller.scheduler.warm;

import java.time.Instant;
import java.util.List;

/**
 * Where the images of a booking are wanted.
 *
 * @param booking UID of the GpuBooking
 * @param digest of the images
 * @param isNeeded whether its replicas are needed now or soon; if not, its pods go
 * @param mayCreate whether the API server is asked for pods of it now; it may have refused some
 * @param mostNodes to which images may be pulled for it
 */
record WarmWish(
    String booking,
    String digest,
    boolean isNeeded,
    boolean mayCreate,
    int mostNodes,
    List<Place> places) {
  /**
   * A node where replicas will be.
   *
   * @param from when the first of them is created
   * @param hasImages whether the node reports all of the images
   */
  record Place(String node, Instant from, boolean hasImages) {}

  WarmWish {
    places = List.copyOf(places);
  }
}
