package io.prescale.controller.schedules;

import java.time.Instant;
import java.util.OptionalInt;

/**
 * A time during which a schedule is in force.
 *
 * @param schedule its name
 * @param start inclusive
 * @param end exclusive, after {@code start}
 * @param floor the fewest replicas
 * @param ceiling the most replicas
 */
public record ScheduledWindow(
    String schedule, Instant start, Instant end, OptionalInt floor, OptionalInt ceiling) {
  public ScheduledWindow {
    if (!start.isBefore(end)) {
      throw new IllegalArgumentException(
          "window of %s from %s to %s".formatted(schedule, start, end));
    }
  }

  boolean contains(Instant time) {
    return !time.isBefore(start) && time.isBefore(end);
  }
}
