package io.prescale.controller.scheduler.moves;

import io.prescale.placement.notice.ReclaimPolicy;
import java.time.Duration;
import java.util.List;

/**
 * How pods are moved.
 *
 * @param policy what is done, the longest notice, and how many moves may begin within an hour
 * @param interval between two looks at fragmentation
 * @param sickAfter how long a card is sick before its pods leave
 * @param windows when moves other than those off sick cards may begin; always if there is none
 */
public record MoveSettings(
    ReclaimPolicy policy, Duration interval, Duration sickAfter, List<DailyWindow> windows) {
  /** Nothing moves, and nothing is said. */
  public static final MoveSettings OFF =
      new MoveSettings(ReclaimPolicy.OFF, Duration.ofMinutes(10), Duration.ofMinutes(5), List.of());

  public MoveSettings {
    windows = List.copyOf(windows);
    if (interval.isNegative() || interval.isZero() || sickAfter.isNegative()) {
      throw new IllegalArgumentException(
          "an interval of %s and sick cards after %s; give more than 0, and 0 or more"
              .formatted(interval, sickAfter));
    }
  }
}
