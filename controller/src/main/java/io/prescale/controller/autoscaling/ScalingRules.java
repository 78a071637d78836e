package io.prescale.controller.autoscaling;

import io.prescale.controller.schedules.Ramp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One direction of an HPA's {@code behavior} ({@code HPAScalingRules} of autoscaling/v2), with
 * Kubernetes' own limits on its values.
 *
 * @param stabilizationWindow how long an earlier recommendation holds back this direction; 0 to 1 h
 * @param tolerance relative deviation from the target that is ignored in this direction
 * @param selection which of the policies counts
 * @param policies limits on the change within a period; may be empty only when disabled
 */
public record ScalingRules(
    Duration stabilizationWindow,
    double tolerance,
    Selection selection,
    List<ScalingPolicy> policies) {

  private static final Duration NEVER = Duration.ofDays(1);
  private static final Duration LONGEST_WINDOW = Duration.ofHours(1);

  /** {@code selectPolicy}: the policy that allows the largest change, the smallest, or none. */
  public enum Selection {
    MAX,
    MIN,
    DISABLED
  }

  public ScalingRules {
    if (stabilizationWindow.isNegative() || stabilizationWindow.compareTo(LONGEST_WINDOW) > 0) {
      throw new IllegalArgumentException("stabilization window " + stabilizationWindow);
    }
    if (!Double.isFinite(tolerance) || tolerance < 0) {
      throw new IllegalArgumentException("tolerance " + tolerance);
    }
    if (policies.isEmpty() && selection != Selection.DISABLED) {
      throw new IllegalArgumentException("no scaling policy");
    }
    policies = List.copyOf(policies);
  }

  /** Kubernetes' defaults: at once, by 4 pods or 100 % each 15 s, whichever is more. */
  public static ScalingRules defaultScaleUp() {
    return new ScalingRules(
        Duration.ZERO,
        0.1,
        Selection.MAX,
        List.of(
            ScalingPolicy.pods(4, Duration.ofSeconds(15)),
            ScalingPolicy.percent(100, Duration.ofSeconds(15))));
  }

  /** Kubernetes' defaults: after 5 minutes of lower recommendations, then by any amount. */
  public static ScalingRules defaultScaleDown() {
    return new ScalingRules(
        Duration.ofMinutes(5),
        0.1,
        Selection.MAX,
        List.of(ScalingPolicy.percent(100, Duration.ofSeconds(15))));
  }

  public ScalingRules withTolerance(double newTolerance) {
    return new ScalingRules(stabilizationWindow, newTolerance, selection, policies);
  }

  /**
   * How long the policies take to let the replicas grow: the first step is allowed at once, each
   * further one when the period of the policy that allowed it is over. A day when they never allow
   * it. O(steps).
   */
  public Duration timeToReach(int from, int to) {
    if (from >= to) {
      return Duration.ZERO;
    }
    var steps = ramp(from, to).steps();
    return !steps.isEmpty() && steps.getLast().replicas() >= to ? steps.getLast().end() : NEVER;
  }

  /** How the policies let the replicas grow, as far as they do within a day. O(steps). */
  public Ramp ramp(int from, int to) {
    var steps = new ArrayList<Ramp.Step>();
    Duration time = Duration.ZERO;
    int replicas = from;
    while (replicas < to && selection != Selection.DISABLED && time.compareTo(NEVER) < 0) {
      var step = nextStep(replicas);
      replicas = (int) Math.min(to, step.highest(replicas));
      boolean sameMinute =
          !steps.isEmpty() && steps.getLast().begin().toMinutes() == time.toMinutes();
      var begin = sameMinute ? steps.removeLast().begin() : time;
      steps.add(new Ramp.Step(begin, time, replicas));
      time = time.plus(step.period());
    }
    return new Ramp(steps);
  }

  /** Whether there may be more replicas than none, of which a share is none. */
  boolean growsFromZero() {
    return selection != Selection.DISABLED && nextStep(0).highest(0) >= 1;
  }

  /** The policy that decides how far the replicas may go next. */
  private ScalingPolicy nextStep(int replicas) {
    var bySize = Comparator.comparingDouble((ScalingPolicy policy) -> policy.highest(replicas));
    return (selection == Selection.MAX
            ? policies.stream().max(bySize)
            : policies.stream().min(bySize))
        .orElseThrow();
  }

  /** The longest period that a policy looks back on; zero without policies. */
  public Duration longestPeriod() {
    return policies.stream()
        .map(ScalingPolicy::period)
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }
}
