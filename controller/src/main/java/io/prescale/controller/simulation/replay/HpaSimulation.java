package io.prescale.controller.simulation.replay;

import io.prescale.controller.autoscaling.HpaRules;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A HorizontalPodAutoscaler with one external metric of type AverageValue, moved on one sync at a
 * time. The rules are those of kube-controller-manager ({@code pkg/controller/podautoscaler}:
 * {@code replica_calculator.go} for the proposal, {@code horizontal.go} for stabilization and
 * limits). Not simulated: the recommendation that a newly created HPA starts with; this one has
 * been running.
 */
public final class HpaSimulation {

  private final HpaRules rules;
  private final double targetPerReplica;
  private final ColdStart coldStart;
  private final SplittableRandom random;
  private final Recommendations recommendations;
  private final ScaleEvents events;
  private final PendingReplicas pending = new PendingReplicas();
  private final ShortUses shortUses;

  private int sync;
  private int current;
  private int ready;
  private int scaleEvents;
  private int reversals;
  private int lastChange;
  private Optional<Sync> lastSync = Optional.empty();

  /**
   * What one sync that could read the metric did, gate by gate.
   *
   * @param before replicas that there were
   * @param proposed by the formula and the tolerance, within the limits
   * @param stabilized after the stabilization windows
   * @param after what the scaling policies permit of it
   */
  public record Sync(int before, int proposed, int stabilized, int after) {}

  /**
   * @param targetPerReplica the metric's {@code averageValue} target
   * @param initialReplicas all ready; moved into the rules' range
   */
  public HpaSimulation(
      HpaRules rules,
      double targetPerReplica,
      ColdStart coldStart,
      int initialReplicas,
      SplittableRandom random) {
    if (!Double.isFinite(targetPerReplica) || targetPerReplica <= 0) {
      throw new IllegalArgumentException("target per replica " + targetPerReplica);
    }
    this.rules = rules;
    this.targetPerReplica = targetPerReplica;
    this.coldStart = coldStart;
    this.random = random;
    this.recommendations = new Recommendations(rules);
    this.events = new ScaleEvents(rules);
    this.shortUses = new ShortUses(6e10 / rules.syncPeriod().toNanos());
    this.current = Math.clamp(initialReplicas, rules.minReplicas(), rules.maxReplicas());
    this.ready = current;
  }

  /**
   * One sync period passes.
   *
   * @param metricValue sum of the metric over all replicas; anything not finite is a metric that
   *     could not be read, on which the HPA keeps what it has
   */
  public void sync(double metricValue) {
    int begin = pending.takeReady(sync);
    ready += begin;
    shortUses.serve(begin, sync);
    lastSync = Optional.empty();
    if (Double.isFinite(metricValue)) {
      int before = current;
      int proposed = proposal(metricValue);
      int stabilized = recommendations.stabilize(current, proposed);
      scaleTo(permitted(stabilized));
      lastSync = Optional.of(new Sync(before, proposed, stabilized, current));
    } else if (rules.failedSync() == HpaRules.FailedSync.RECOMMENDS_CURRENT) {
      recommendations.record(current);
    } else {
      recommendations.recordNothing();
    }
    sync++;
  }

  /** Replicas that exist, serving or not: what the HPA asked for last. */
  public int currentReplicas() {
    return current;
  }

  public int readyReplicas() {
    return ready;
  }

  /** What the newest sync did; empty when it could not read the metric. */
  public Optional<Sync> lastSync() {
    return lastSync;
  }

  public int scaleEvents() {
    return scaleEvents;
  }

  /** Scale events in the direction opposite to that of the event before. */
  public int reversals() {
    return reversals;
  }

  /** Replicas that were stopped again after {@link ShortUses five minutes} of use at most. */
  long shortUses() {
    return shortUses.count();
  }

  private int proposal(double metricValue) {
    return rules.tolerates(metricValue, targetPerReplica, current)
        ? current
        : Math.clamp(
            HpaRules.replicasFor(metricValue, targetPerReplica),
            rules.minReplicas(),
            rules.maxReplicas());
  }

  private int permitted(int wanted) {
    if (wanted > current) {
      return Math.min(
          wanted, Math.max(current, asReplicas(rules.scaleUp().highest(this::replicasAtStartOf))));
    }
    if (wanted < current) {
      return Math.max(wanted, Math.min(current, lowestPermitted()));
    }
    return current;
  }

  private int lowestPermitted() {
    var limits =
        rules.scaleDown().policies().stream()
            .mapToDouble(policy -> policy.lowest(replicasAtStartOf(policy.period())));
    return asReplicas(
        switch (rules.scaleDown().selection()) {
          case MAX -> limits.min().orElseThrow();
          case MIN -> limits.max().orElseThrow();
          case DISABLED -> current;
        });
  }

  private int replicasAtStartOf(Duration period) {
    return current - events.netChangeWithin(period, sync);
  }

  private int asReplicas(double limit) {
    return (int) Math.clamp(limit, rules.minReplicas(), rules.maxReplicas());
  }

  private void scaleTo(int wanted) {
    int change = wanted - current;
    if (change == 0) {
      return;
    }
    scaleEvents++;
    if (Integer.signum(change) == -Integer.signum(lastChange)) {
      reversals++;
    }
    lastChange = change;
    events.add(sync, change);
    current = wanted;
    if (change > 0) {
      create(change);
    } else {
      int unready = pending.removeNewest(-change);
      ready -= -change - unready;
      shortUses.stopBeforeServing(unready);
      shortUses.stop(-change - unready, sync);
    }
  }

  private void create(int replicas) {
    for (int i = 0; i < replicas; i++) {
      long syncsUntilReady = coldStart.draw(random).toNanos() / rules.syncPeriod().toNanos();
      pending.add((int) Math.min(Integer.MAX_VALUE, sync + syncsUntilReady));
    }
  }
}
