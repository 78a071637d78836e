package io.prescale.forecasting;

import java.time.Duration;

/**
 * A pattern that repeats.
 *
 * @param period time after which it repeats
 * @param strength share of the variance within a period that repeats, 0 to 1
 */
public record Season(Duration period, double strength) {
  public static final Duration DAY = Duration.ofDays(1);
  public static final Duration WEEK = Duration.ofDays(7);

  public Season {
    if (!period.isPositive()) {
      throw new IllegalArgumentException("period must be positive: " + period);
    }
    if (!(strength >= 0 && strength <= 1)) {
      throw new IllegalArgumentException("strength must be from 0 to 1: " + strength);
    }
  }

  /**
   * Whether people's clocks set the pace: periods of whole hours that divide a day, and of whole
   * days. Such a season keeps its local time when daylight saving begins or ends; a job that runs
   * every 45 minutes or 7 hours does not.
   */
  public boolean followsLocalTime() {
    long hours = period.toHours();
    boolean wholeHours = period.equals(Duration.ofHours(hours));
    return wholeHours && (hours % 24 == 0 || 24 % hours == 0);
  }
}
