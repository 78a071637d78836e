package io.prescale.controller.demo;

import io.prescale.controller.autoscaling.Explanation;
import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.input.GeneratedLoad;
import io.prescale.controller.simulation.replay.HpaSimulation;
import io.prescale.controller.simulation.replay.Reactive;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/**
 * One workload's load, its HPA, and beside it what a plain HPA with a target of 80 % would do to
 * the same load on a cluster that always has room. Not thread-safe.
 */
final class SimulatedService {
  static final int SYNCS_A_MINUTE = 4;
  private static final int REMEMBERED_MINUTES = 24 * 60;
  static final Duration SYNC = Duration.ofSeconds(15);

  private final Workload workload;
  private final GeneratedLoad load;
  private final SimulatedHpa hpa;
  private final HpaSimulation reactive;
  private final ShortageMeter shortage = new ShortageMeter();
  private final ShortageMeter reactiveShortage = new ShortageMeter();
  private final ArrayDeque<Minute> minutes = new ArrayDeque<>();
  private double demand;
  private double seen;
  private OptionalDouble read = OptionalDouble.empty();
  private long replicaSyncs;
  private long reactiveSyncs;

  /**
   * Creates a service after its history.
   *
   * @param history receives time and demand of each minute of the history
   */
  SimulatedService(Workload workload, DemoSettings settings, long seed, History history) {
    this.workload = workload;
    this.load = new GeneratedLoad(workload.load(), seed);
    this.reactive =
        new HpaSimulation(
            workload.hpa(),
            Reactive.USUAL_TARGET * workload.capacityPerReplica(),
            workload.coldStart(),
            1,
            new SplittableRandom(seed));
    for (int i = 0; i < settings.historyMinutes(); i++) {
      Instant time = settings.historyStart().plus(Duration.ofMinutes(i));
      double before = demand;
      demand = load.next();
      history.passed(time, demand);
      if (settings.historyMinutes() - i <= REMEMBERED_MINUTES) {
        passHistory(time, before);
      }
    }
    this.hpa = new SimulatedHpa(workload, workload.replicasFor(demand / Reactive.USUAL_TARGET));
  }

  /** Receives every minute of the history. */
  @FunctionalInterface
  interface History {
    void passed(Instant time, double demand);
  }

  private void passHistory(Instant time, double before) {
    for (int i = 0; i < SYNCS_A_MINUTE; i++) {
      reactive.sync(before);
    }
    remember(
        new Minute(
            time,
            OptionalDouble.of(demand),
            OptionalDouble.empty(),
            0,
            0,
            reactive.currentReplicas(),
            reactive.readyReplicas(),
            Optional.empty()));
  }

  Workload workload() {
    return workload;
  }

  SimulatedHpa hpa() {
    return hpa;
  }

  /** The demand of the newest minute that is over. */
  double demand() {
    return demand;
  }

  /** See {@link GeneratedLoad#add}. */
  void spike(double share) {
    load.add(share);
  }

  /** The metrics API as the HPA reads it. */
  @FunctionalInterface
  interface Metrics {
    /** The value at the given time; empty when it is not known. */
    OptionalDouble value(Workload workload, Instant now);
  }

  /**
   * Begins a minute.
   *
   * @param blind whether the load is invisible, also to a reactive HPA
   */
  void begin(boolean blind) {
    seen = blind ? Double.NaN : demand;
    demand = load.next();
  }

  /**
   * Has its HPA read the metric and scale.
   *
   * @param minute that has begun
   */
  void sync(Instant minute, Instant at, Metrics metrics, SimulatedCluster cluster) {
    read = metrics.value(workload, at);
    hpa.sync(read);
    cluster.scale(workload, hpa.replicas(), minute, at);
    reactive.sync(seen);
  }

  /** Measures what there is after a sync, until the next. */
  void measure(Instant at, SimulatedCluster cluster) {
    if (Double.isNaN(seen)) {
      shortage.passUnobserved();
      reactiveShortage.passUnobserved();
    } else {
      int needed = HpaRules.replicasFor(demand, workload.capacityPerReplica());
      shortage.pass(needed > cluster.ready(workload, at));
      reactiveShortage.pass(needed > reactive.readyReplicas());
    }
    replicaSyncs += hpa.replicas();
    reactiveSyncs += reactive.currentReplicas();
  }

  /** Ends the minute. */
  void end(Instant minute, SimulatedCluster cluster, boolean blind) {
    Instant end = minute.plus(SYNC.multipliedBy(SYNCS_A_MINUTE - 1L));
    remember(
        new Minute(
            minute,
            blind ? OptionalDouble.empty() : OptionalDouble.of(demand),
            read,
            hpa.replicas(),
            cluster.ready(workload, end),
            reactive.currentReplicas(),
            reactive.readyReplicas(),
            Optional.empty()));
  }

  private void remember(Minute minute) {
    minutes.addLast(minute);
    if (minutes.size() > REMEMBERED_MINUTES) {
      minutes.removeFirst();
    }
  }

  /** Explains the decision of the newest minute. */
  void explain(Optional<Explanation> why) {
    minutes.addLast(minutes.removeLast().because(why));
  }

  /** The oldest first; a day of them. */
  List<Minute> minutes() {
    return List.copyOf(minutes);
  }

  Minute newest() {
    return minutes.getLast();
  }

  ShortageMeter shortage() {
    return shortage;
  }

  ShortageMeter reactiveShortage() {
    return reactiveShortage;
  }

  /** Replica-hours of created pods, since the beginning. */
  double replicaHours() {
    return hours(replicaSyncs);
  }

  double reactiveReplicaHours() {
    return hours(reactiveSyncs);
  }

  private static double hours(long syncs) {
    return syncs * SYNC.toSeconds() / 3600.0;
  }
}
