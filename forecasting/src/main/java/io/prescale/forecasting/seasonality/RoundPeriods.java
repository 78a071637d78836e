package io.prescale.forecasting.seasonality;

import java.time.Duration;

/**
 * Rounds a period to the roundest one that the series is too short to distinguish from it: people
 * and their programs repeat things after round times.
 */
final class RoundPeriods {
  private static final int[] GRANULARITY_SECONDS = {
    7 * 86_400, 86_400, 12 * 3600, 6 * 3600, 3600, 1800, 900, 600, 300, 60, 30, 10, 1
  };

  /** Two periods count as equal if they drift apart by fewer cycles than this over the series. */
  private static final double SAME = 0.25;

  private final int size;
  private final double stepSeconds;

  RoundPeriods(int size, Duration step) {
    this.size = size;
    this.stepSeconds = step.toMillis() / 1000.0;
  }

  double nearest(double periodSteps) {
    for (int granularity : GRANULARITY_SECONDS) {
      double multiple = Math.rint(periodSteps * stepSeconds / granularity);
      double round = multiple * granularity / stepSeconds;
      if (multiple > 0 && Math.abs(size / round - size / periodSteps) < SAME) {
        return round;
      }
    }
    return periodSteps;
  }
}
