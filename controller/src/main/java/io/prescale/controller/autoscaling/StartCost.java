package io.prescale.controller.autoscaling;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.OptionalDouble;

/**
 * What the start of a replica costs its user, so that none is started for a few minutes of use, nor
 * stopped shortly before it is needed again.
 *
 * @param replicaMinutes as many as a start is worth, from 0 to {@value #HIGHEST}
 */
public record StartCost(double replicaMinutes) {
  /** Starts are free. */
  public static final StartCost NONE = new StartCost(0);

  public static final int HIGHEST = 60;

  /** A start is paid for in this many minutes of use, and a stop gives up a third of that. */
  private static final double MINUTES_TO_PAY = 40;

  private static final double SHARE_OF_A_STOP = 1 / 3.0;

  private static final double MILLIS_PER_MINUTE = 60_000;

  public StartCost {
    if (!(replicaMinutes >= 0 && replicaMinutes <= HIGHEST)) {
      throw new IllegalArgumentException(
          "start cost must be from 0 to %d replica-minutes: %s".formatted(HIGHEST, replicaMinutes));
    }
  }

  /** What a report says of it, to follow another sentence; empty where starts are free. */
  public String sentence() {
    return replicaMinutes == 0
        ? ""
        : " A start was worth %s replica-minutes."
            .formatted(BigDecimal.valueOf(replicaMinutes).stripTrailingZeros().toPlainString());
  }

  /** What a minute of a replica costs in addition while it would have to be started. */
  double aMinuteStarted() {
    return replicaMinutes / MINUTES_TO_PAY;
  }

  /** What giving up a replica costs a minute; below 1. */
  double aMinuteStopped() {
    return SHARE_OF_A_STOP * aMinuteStarted();
  }

  /**
   * The least probability of being needed again at which a replica is kept; empty where starting it
   * again costs less in any case.
   *
   * @param kept how long a replica stays that is asked for once more: a step, and the HPA's window
   *     of stabilization
   */
  OptionalDouble leastProbability(Duration kept) {
    double minutes = kept.toMillis() / MILLIS_PER_MINUTE;
    return replicaMinutes > minutes
        ? OptionalDouble.of(minutes / replicaMinutes)
        : OptionalDouble.empty();
  }
}
