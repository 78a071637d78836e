package io.prescale.controller.simulation.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Runs one policy through the trace, in a closed loop with its own HPA. */
final class PolicyWalk {

  private final ReplayPolicy policy;
  private final Demand demand;
  private final ReplaySettings settings;
  private final double clairvoyantHours;
  private final ProgressMeter meter;
  private final double targetPerReplica;

  private final Served[] served;
  private final int[] desired;
  private final int[] ready;

  PolicyWalk(
      ReplayPolicy policy,
      Demand demand,
      ReplaySettings settings,
      double clairvoyantHours,
      ProgressMeter meter) {
    this.policy = policy;
    this.demand = demand;
    this.settings = settings;
    this.clairvoyantHours = clairvoyantHours;
    this.meter = meter;
    this.targetPerReplica = settings.capacityPerReplica() * policy.targetUtilization();
    this.served = new Served[demand.minutes()];
    this.desired = new int[demand.minutes()];
    this.ready = new int[demand.minutes()];
  }

  PolicyRun run() throws InterruptedException {
    walk();
    return scored();
  }

  /**
   * The HPA starts from the fewest replicas: any other start would reveal the demand to come. It
   * starts from one at least, as it only wakes what it has put to sleep.
   */
  private void walk() throws InterruptedException {
    var hpa =
        new HpaSimulation(
            settings.rules(),
            targetPerReplica,
            settings.coldStart(),
            Math.max(1, settings.rules().minReplicas()),
            new SplittableRandom(settings.seed()));
    double[] seen = new double[demand.minutes()];
    Arrays.fill(seen, Double.NaN);
    for (int minute = 0; minute < demand.minutes(); minute++) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      served[minute] =
          policy.next(
              new View(demand.start(), minute, seen, hpa.currentReplicas(), hpa.readyReplicas()));
      for (int i = 0; i < settings.syncsPerMinute(); i++) {
        hpa.sync(served[minute].value().orElse(Double.NaN));
      }
      desired[minute] = hpa.currentReplicas();
      ready[minute] = hpa.readyReplicas();
      seen[minute] = demand.observed(minute);
      meter.pass(1);
    }
  }

  private PolicyRun scored() {
    int from = demand.scoredFrom();
    double[] values =
        Arrays.stream(served, from, served.length)
            .mapToDouble(it -> it.value().orElse(Double.NaN))
            .toArray();
    ScoredRun run = ScoredRun.of(demand.scored(), values, targetPerReplica, settings);
    for (int i = 0; i < values.length; i++) {
      desired[from + i] = run.desired(i);
      ready[from + i] = run.ready(i);
    }
    return new PolicyRun(outcome(run, values), ticks(), rationales());
  }

  private PolicyOutcome outcome(ScoredRun run, double[] values) {
    double days = values.length / (24 * 60.0);
    return new PolicyOutcome(
        policy.name(),
        run.overloadedShare(),
        run.overloadedShare(i -> Double.isNaN(demand.observed(demand.scoredFrom() + i))),
        run.unservedShare(),
        run.replicaHours(),
        run.replicaHours() / clairvoyantHours,
        run.scaleEvents() / days,
        run.reversals() / days,
        run.shortUses() / days,
        coverage(),
        minutesBelowReactive(values),
        untrustedShare(),
        settings.rules().minReplicas() == 0 ? Optional.of(run.atZero()) : Optional.empty());
  }

  private Optional<Coverage> coverage() {
    int from = demand.scoredFrom();
    List<Optional<Quantiles>> forecasts =
        Arrays.stream(served, from, served.length).map(Served::quantiles).toList();
    if (forecasts.stream().allMatch(Optional::isEmpty)) {
      return Optional.empty();
    }
    return Optional.of(
        Coverage.of(demand.scored(), forecasts, settings.leadMinutes(), settings.windowMinutes()));
  }

  private double untrustedShare() {
    return Arrays.stream(served, demand.scoredFrom(), served.length)
        .mapToInt(it -> it.rationale().filter(Rationale::isUntrusted).isPresent() ? 1 : 0)
        .average()
        .orElse(0);
  }

  /** What was not observed, or came before the trace, is no value to be below. */
  private int minutesBelowReactive(double[] values) {
    int below = 0;
    for (int i = Math.max(0, 1 - demand.scoredFrom()); i < values.length; i++) {
      double reactive = demand.observed(demand.scoredFrom() + i - 1);
      below += values[i] < reactive - 1e-9 * Math.abs(reactive) ? 1 : 0;
    }
    return below;
  }

  private List<Tick> ticks() {
    var ticks = new ArrayList<Tick>(served.length);
    for (int i = 0; i < served.length; i++) {
      ticks.add(
          new Tick(
              demand.time(i),
              demand.known(i),
              served[i].value(),
              served[i].quantiles(),
              desired[i],
              ready[i]));
    }
    return ticks;
  }

  private List<Optional<Rationale>> rationales() {
    return Arrays.stream(served).map(Served::rationale).toList();
  }
}
