package io.prescale.controller.simulation.replay;

import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.HpaRules.FailedSync;
import io.prescale.controller.autoscaling.ScalingPolicy;
import io.prescale.controller.autoscaling.ScalingRules;
import io.prescale.controller.autoscaling.ScalingRules.Selection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The HPA once more, for checking the simulation: on a clock in seconds, with every recommendation
 * and scale event ever made kept in a list, and every pod an object. Slow, and in the words of
 * Kubernetes' documentation rather than of its code.
 */
final class HpaOracle {

  private record Recommendation(double second, long replicas) {}

  private record Change(double second, long replicas) {}

  private record Pod(int number, double servesFrom) {}

  private final HpaRules rules;
  private final double target;
  private final ColdStart coldStart;
  private final SplittableRandom random;
  private final List<Recommendation> recommendations = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private final List<Pod> pods = new ArrayList<>();
  private double now;
  private int podsCreated;
  private long before;

  HpaOracle(
      HpaRules rules,
      double target,
      ColdStart coldStart,
      int initialReplicas,
      SplittableRandom random) {
    this.rules = rules;
    this.target = target;
    this.coldStart = coldStart;
    this.random = random;
    for (int i = 0; i < initialReplicas; i++) {
      pods.add(new Pod(podsCreated++, Double.NEGATIVE_INFINITY));
    }
  }

  void sync(double metric) {
    if (Double.isNaN(metric)) {
      if (rules.failedSync() == FailedSync.RECOMMENDS_CURRENT) {
        recommendations.add(new Recommendation(now, pods.size()));
      }
    } else {
      scale(metric);
    }
    now += seconds(rules.syncPeriod());
  }

  private void scale(double metric) {
    before = pods.size();
    recommendations.add(new Recommendation(now, desired(metric)));
    long stable = stabilized();
    long most = Math.max(before, Math.min(rules.maxReplicas(), limitUp()));
    long fewest = Math.min(before, Math.max(rules.minReplicas(), limitDown()));
    while (pods.size() < Math.min(stable, most)) {
      create();
    }
    while (pods.size() > Math.max(stable, fewest)) {
      delete();
    }
    if (pods.size() != before) {
      changes.add(new Change(now, pods.size() - before));
    }
  }

  private long desired(double metric) {
    double utilization = metric / before / target;
    boolean enough = utilization <= 1 + rules.scaleUp().tolerance();
    boolean notTooMany = utilization >= 1 - rules.scaleDown().tolerance();
    if (enough && notTooMany) {
      return before;
    }
    long desired = 0;
    while (desired * target < metric - 1e-9 * target) {
      desired++;
    }
    return desired;
  }

  private long stabilized() {
    double upFrom = now - seconds(rules.scaleUp().stabilizationWindow());
    double downFrom = now - seconds(rules.scaleDown().stabilizationWindow());
    long newest = recommendations.getLast().replicas();
    long low =
        recommendations.stream()
            .filter(r -> r.second() > upFrom)
            .mapToLong(Recommendation::replicas)
            .min()
            .orElse(newest);
    long high =
        recommendations.stream()
            .filter(r -> r.second() > downFrom)
            .mapToLong(Recommendation::replicas)
            .max()
            .orElse(newest);
    if (before < low) {
      return low;
    }
    return before > high ? high : before;
  }

  private long limitUp() {
    ScalingRules up = rules.scaleUp();
    if (up.selection() == Selection.DISABLED) {
      return before;
    }
    var limits = new ArrayList<Long>();
    for (ScalingPolicy policy : up.policies()) {
      long start = replicasAt(now - seconds(policy.period()));
      limits.add(
          policy.unit() == ScalingPolicy.Unit.PODS
              ? start + policy.value()
              : -Math.floorDiv(-start * (100 + policy.value()), 100L));
    }
    return up.selection() == Selection.MAX
        ? limits.stream().max(Comparator.naturalOrder()).orElseThrow()
        : limits.stream().min(Comparator.naturalOrder()).orElseThrow();
  }

  private long limitDown() {
    ScalingRules down = rules.scaleDown();
    if (down.selection() == Selection.DISABLED) {
      return before;
    }
    var limits = new ArrayList<Long>();
    for (ScalingPolicy policy : down.policies()) {
      long start = replicasAt(now - seconds(policy.period()));
      limits.add(
          policy.unit() == ScalingPolicy.Unit.PODS
              ? start - policy.value()
              : start * (100 - policy.value()) / 100);
    }
    return down.selection() == Selection.MAX
        ? limits.stream().min(Comparator.naturalOrder()).orElseThrow()
        : limits.stream().max(Comparator.naturalOrder()).orElseThrow();
  }

  /** Undoes every change made since that second. */
  private long replicasAt(double second) {
    return before
        - changes.stream().filter(c -> c.second() > second).mapToLong(Change::replicas).sum();
  }

  private void create() {
    double period = seconds(rules.syncPeriod());
    double wait = Math.floor(seconds(coldStart.draw(random)) / period) * period;
    // Ready is looked at before the HPA acts: a pod that needs no time is seen one sync later.
    pods.add(new Pod(podsCreated++, now + Math.max(wait, period / 2)));
  }

  /** A pod that does not serve before one that does, a young one before an old one. */
  private void delete() {
    Pod victim =
        pods.stream()
            .max(Comparator.comparing((Pod pod) -> !serves(pod)).thenComparingInt(Pod::number))
            .orElseThrow();
    pods.remove(victim);
  }

  private boolean serves(Pod pod) {
    return pod.servesFrom() <= now;
  }

  int currentReplicas() {
    return pods.size();
  }

  /** As of the last sync. */
  int readyReplicas() {
    double lastSync = now - seconds(rules.syncPeriod());
    return (int) pods.stream().filter(pod -> pod.servesFrom() <= lastSync).count();
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
