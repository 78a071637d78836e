package io.prescale.controller.autoscaling;

import io.prescale.controller.schedules.Schedules;
import java.time.Duration;

/**
 * The rules of a HorizontalPodAutoscaler, without its metric.
 *
 * @param syncPeriod time between two looks at the metric
 * @param minReplicas 0 where the HPA may go to zero (HPAScaleToZero)
 */
public record HpaRules(
    Duration syncPeriod,
    ScalingRules scaleUp,
    ScalingRules scaleDown,
    int minReplicas,
    int maxReplicas,
    FailedSync failedSync) {

  /** A quotient that should be whole may come out this much above. */
  private static final double ROUNDING = 1e-9;

  /** What a sync leaves behind for the stabilization windows when the metric cannot be read. */
  public enum FailedSync {
    /**
     * Nothing, as in kube-controller-manager: after an outage longer than the window the HPA may
     * scale down at once.
     */
    LEAVES_NOTHING,
    /** The current replicas as a recommendation: after an outage a full window passes first. */
    RECOMMENDS_CURRENT
  }

  public HpaRules {
    if (!syncPeriod.isPositive()) {
      throw new IllegalArgumentException("sync period " + syncPeriod);
    }
    if (minReplicas < 0) {
      throw new IllegalArgumentException("minimum replicas must be at least 0: " + minReplicas);
    }
    if (maxReplicas < Math.max(1, minReplicas)) {
      throw new IllegalArgumentException(
          "maximum replicas %d is below minimum %d".formatted(maxReplicas, minReplicas));
    }
  }

  /**
   * Kubernetes' defaults, without an upper limit worth the name. A failed sync recommends the
   * current replicas, which is the cautious reading; see {@link FailedSync}.
   */
  public static HpaRules defaults() {
    return new HpaRules(
        Duration.ofSeconds(15),
        ScalingRules.defaultScaleUp(),
        ScalingRules.defaultScaleDown(),
        1,
        1_000_000,
        FailedSync.RECOMMENDS_CURRENT);
  }

  /**
   * The fewest replicas that have no more than the target each; 0 when the value is unknown, NaN.
   */
  public static int replicasFor(double value, double target) {
    return (int) Math.ceil(value / target - ROUNDING);
  }

  /**
   * Whether the HPA lets the current replicas be. Nothing is tolerated of none; a deviation of
   * exactly the tolerance falls on either side, as rounding has it.
   */
  public boolean tolerates(double value, double target, int current) {
    double deviation = value / (target * current) - 1;
    return deviation >= -scaleDown.tolerance() && deviation <= scaleUp.tolerance();
  }

  /** Whether the HPA wants more replicas for a value than there are. */
  public boolean asksForMore(double value, double target, int current) {
    return value > target * current && !tolerates(value, target, current);
  }

  /** The schedules, with floors that are reached as scaling up allows from the fewest replicas. */
  public Schedules reaching(Schedules schedules) {
    int fewest = minReplicas == 0 && !scaleUp.growsFromZero() ? 1 : minReplicas;
    return schedules.withRamp(scaleUp.ramp(fewest, schedules.highestFloor()));
  }

  public DeadBand deadBand() {
    return new DeadBand(scaleUp.tolerance(), scaleDown.tolerance());
  }

  public HpaRules withTolerance(double tolerance) {
    return new HpaRules(
        syncPeriod,
        scaleUp.withTolerance(tolerance),
        scaleDown.withTolerance(tolerance),
        minReplicas,
        maxReplicas,
        failedSync);
  }

  public HpaRules withBehavior(ScalingRules newScaleUp, ScalingRules newScaleDown) {
    return new HpaRules(syncPeriod, newScaleUp, newScaleDown, minReplicas, maxReplicas, failedSync);
  }

  public HpaRules withReplicas(int newMin, int newMax) {
    return new HpaRules(syncPeriod, scaleUp, scaleDown, newMin, newMax, failedSync);
  }
}
