package io.prescale.controller.autoscaling;

import java.time.Duration;

/**
 * A limit on how far an HPA may go within a period ({@code HPAScalingPolicy} of autoscaling/v2).
 *
 * @param value pods, or percent of the replicas that there were when the period began
 * @param period how far back scale events count against the limit; up to 30 minutes
 */
public record ScalingPolicy(Unit unit, int value, Duration period) {

  private static final Duration LONGEST_PERIOD = Duration.ofMinutes(30);

  /** What {@code value} counts. */
  public enum Unit {
    PODS,
    PERCENT
  }

  public ScalingPolicy {
    if (value <= 0) {
      throw new IllegalArgumentException("scaling policy of " + value + " " + unit);
    }
    if (!period.isPositive() || period.compareTo(LONGEST_PERIOD) > 0) {
      throw new IllegalArgumentException("scaling policy period " + period);
    }
  }

  public static ScalingPolicy pods(int value, Duration period) {
    return new ScalingPolicy(Unit.PODS, value, period);
  }

  public static ScalingPolicy percent(int value, Duration period) {
    return new ScalingPolicy(Unit.PERCENT, value, period);
  }

  /** The most replicas allowed now; a share is rounded up, so that one replica can become two. */
  public double highest(int replicasAtPeriodStart) {
    return switch (unit) {
      case PODS -> (double) replicasAtPeriodStart + value;
      case PERCENT -> Math.ceil(replicasAtPeriodStart * (1 + value / 100.0));
    };
  }

  /** The fewest replicas allowed now; a share is rounded towards zero. */
  public double lowest(int replicasAtPeriodStart) {
    return switch (unit) {
      case PODS -> (double) replicasAtPeriodStart - value;
      case PERCENT -> (double) (long) (replicasAtPeriodStart * (1 - value / 100.0));
    };
  }
}
