package io.prescale.controller.simulation.replay;

import io.prescale.controller.autoscaling.HpaRules;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A served value put through the HPA against the demand that came. Demand above the capacity of the
 * ready replicas is overload; created replicas cost, ready or not.
 */
final class ScoredRun {

  /** Demand may exceed the ready replicas by this much of a replica before that is overload. */
  private static final double ROUNDING = 1e-9;

  private final int[] desired;
  private final int[] ready;
  private final int[] overloadedSyncs;
  private final HpaSimulation hpa;
  private final int syncsPerMinute;
  private final double syncSeconds;

  private double unservedReplicas;
  private double demandedReplicas;
  private long replicaSyncs;
  private long syncsAtZero;
  private int firstRequests;
  private long waitedSyncs;
  private int waitingSyncs;
  private int longestWaitSyncs;

  private ScoredRun(int minutes, HpaSimulation hpa, ReplaySettings settings) {
    this.desired = new int[minutes];
    this.ready = new int[minutes];
    this.overloadedSyncs = new int[minutes];
    this.hpa = hpa;
    this.syncsPerMinute = settings.syncsPerMinute();
    this.syncSeconds = settings.rules().syncPeriod().toNanos() / 1e9;
  }

  /**
   * Starts with the replicas that the first minute's demand asks for, so that the score of a period
   * does not depend on what went before it.
   *
   * @param demand per minute, without gaps
   * @param served per minute; NaN is a metric that could not be read
   */
  static ScoredRun of(
      double[] demand, double[] served, double targetPerReplica, ReplaySettings settings) {
    var hpa =
        new HpaSimulation(
            settings.rules(),
            targetPerReplica,
            settings.coldStart(),
            HpaRules.replicasFor(demand[0], targetPerReplica),
            new SplittableRandom(settings.seed()));
    var run = new ScoredRun(demand.length, hpa, settings);
    for (int minute = 0; minute < demand.length; minute++) {
      run.pass(minute, demand[minute] / settings.capacityPerReplica(), served[minute]);
    }
    return run;
  }

  private void pass(int minute, double neededReplicas, double servedValue) {
    for (int i = 0; i < syncsPerMinute; i++) {
      hpa.sync(servedValue);
      if (neededReplicas > hpa.readyReplicas() + ROUNDING) {
        overloadedSyncs[minute]++;
      }
      unservedReplicas += Math.max(neededReplicas - hpa.readyReplicas(), 0);
      demandedReplicas += neededReplicas;
      replicaSyncs += hpa.currentReplicas();
      countAtZero(neededReplicas);
    }
    desired[minute] = hpa.currentReplicas();
    ready[minute] = hpa.readyReplicas();
  }

  private void countAtZero(double neededReplicas) {
    boolean isHeld = waitingSyncs > 0 && hpa.currentReplicas() > 0;
    boolean waits = hpa.readyReplicas() == 0 && (neededReplicas > ROUNDING || isHeld);
    firstRequests += waits && waitingSyncs == 0 ? 1 : 0;
    waitedSyncs += waits ? 1 : 0;
    syncsAtZero += hpa.currentReplicas() == 0 ? 1 : 0;
    waitingSyncs = waits ? waitingSyncs + 1 : 0;
    longestWaitSyncs = Math.max(longestWaitSyncs, waitingSyncs);
  }

  AtZero atZero() {
    return new AtZero(
        syncsAtZero * syncSeconds / 3600,
        firstRequests,
        waitedSyncs * syncSeconds / 60,
        longestWaitSyncs * syncSeconds / 60);
  }

  double overloadedShare() {
    return overloadedShare(_ -> true);
  }

  /** The part of the overload that lies in the given minutes, as a share of all syncs. */
  double overloadedShare(IntPredicate minutes) {
    long overloaded =
        IntStream.range(0, overloadedSyncs.length)
            .filter(minutes)
            .mapToLong(minute -> overloadedSyncs[minute])
            .sum();
    return (double) overloaded / ((long) desired.length * syncsPerMinute);
  }

  double unservedShare() {
    return demandedReplicas == 0 ? 0 : unservedReplicas / demandedReplicas;
  }

  double replicaHours() {
    return replicaSyncs * syncSeconds / 3600;
  }

  int scaleEvents() {
    return hpa.scaleEvents();
  }

  int reversals() {
    return hpa.reversals();
  }

  long shortUses() {
    return hpa.shortUses();
  }

  int desired(int minute) {
    return desired[minute];
  }

  int ready(int minute) {
    return ready[minute];
  }
}
