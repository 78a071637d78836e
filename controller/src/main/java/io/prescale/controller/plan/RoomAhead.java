package io.prescale.controller.plan;

import java.time.Instant;

/**
 * Replicas that have no pods yet, are created at one time, and are to find free cards then.
 *
 * @param missing those of them for which there are none
 */
public record RoomAhead(Instant from, int replicas, int missing) {
  public RoomAhead {
    if (replicas < 0 || missing < 0 || missing > replicas) {
      throw new IllegalArgumentException("%d of %d replicas missing".formatted(missing, replicas));
    }
  }
}
