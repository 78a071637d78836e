package io.prescale.controller.autoscaling;

import io.prescale.controller.schedules.Ramp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

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

  /** Far more than make sense; Kubernetes has no limit, and each costs time at every tick. */
  private static final int MOST_POLICIES = 20;

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
    if (policies.size() > MOST_POLICIES) {
      throw new IllegalArgumentException(
          "%d scaling policies in one direction; write at most %d"
              .formatted(policies.size(), MOST_POLICIES));
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
   * How long the policies take to let the replicas grow, beginning with a step at once; a day when
   * they never allow it. O(steps × policies).
   */
  public Duration timeToReach(int from, int to) {
    if (from >= to) {
      return Duration.ZERO;
    }
    var steps = ramp(from, to).steps();
    return !steps.isEmpty() && steps.getLast().replicas() >= to ? steps.getLast().end() : NEVER;
  }

  /**
   * How the policies let the replicas grow, as far as they do within a day. A policy looks at the
   * replicas that there were when its period began ({@code calculateScaleUpLimitWithScalingRules}
   * of kube-controller-manager's podautoscaler). O(steps × policies).
   */
  public Ramp ramp(int from, int to) {
    var steps = new ArrayList<Ramp.Step>();
    var grown = new TreeMap<Duration, Integer>();
    var limitsRise = new TreeSet<Duration>(List.of(Duration.ZERO));
    int replicas = from;
    while (replicas < to && !limitsRise.isEmpty()) {
      var time = limitsRise.removeFirst();
      double highest = highest(period -> atTime(time.minus(period), from, grown));
      int allowed = (int) Math.min(to, highest);
      if (allowed > replicas) {
        replicas = allowed;
        grown.put(time, replicas);
        add(steps, time, replicas);
        policies.stream()
            .map(it -> time.plus(it.period()))
            .filter(it -> it.compareTo(NEVER) < 0)
            .forEach(limitsRise::add);
      }
    }
    return new Ramp(steps);
  }

  /** Joins the steps of a minute. */
  private static void add(List<Ramp.Step> steps, Duration time, int replicas) {
    boolean isSameMinute =
        !steps.isEmpty() && steps.getLast().begin().toMinutes() == time.toMinutes();
    var begin = isSameMinute ? steps.removeLast().begin() : time;
    steps.add(new Ramp.Step(begin, time, replicas));
  }

  private static int atTime(Duration time, int from, NavigableMap<Duration, Integer> grown) {
    var step = grown.floorEntry(time);
    return step == null ? from : step.getValue();
  }

  /**
   * The most replicas allowed now; 0 when scaling up is disabled.
   *
   * @param replicasAtStartOf a policy's period that ends now
   */
  public double highest(ToIntFunction<Duration> replicasAtStartOf) {
    var limits =
        policies.stream().mapToDouble(it -> it.highest(replicasAtStartOf.applyAsInt(it.period())));
    return switch (selection) {
      case MAX -> limits.max().orElseThrow();
      case MIN -> limits.min().orElseThrow();
      case DISABLED -> 0;
    };
  }

  /** Whether there may be more replicas than none, of which a share is none. */
  boolean growsFromZero() {
    return !ramp(0, 1).steps().isEmpty();
  }

  /** The longest period that a policy looks back on; zero without policies. */
  public Duration longestPeriod() {
    return policies.stream()
        .map(ScalingPolicy::period)
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }
}
