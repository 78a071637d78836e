package io.prescale.controller.demo;

import io.prescale.controller.autoscaling.HpaState;
import io.prescale.controller.autoscaling.HpaState.Condition;
import io.prescale.controller.autoscaling.HpaState.SeenMetric;
import io.prescale.controller.simulation.replay.ColdStart;
import io.prescale.controller.simulation.replay.HpaSimulation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/**
 * The HPA of a workload: the rules of the replay's simulation, and the status that Kubernetes would
 * show ({@code horizontal.go} for the reasons of the conditions). The simulated cluster owns the
 * pods.
 */
final class SimulatedHpa {
  private final Workload workload;
  private final HpaSimulation rules;
  private Optional<HpaState> state = Optional.empty();

  SimulatedHpa(Workload workload, int replicas) {
    this.workload = workload;
    this.rules =
        new HpaSimulation(
            workload.hpa(),
            workload.capacityPerReplica(),
            new ColdStart.Constant(Duration.ZERO),
            replicas,
            new SplittableRandom(0));
  }

  /** Syncs with the value of the metrics API; empty when the API returned an error. */
  void sync(OptionalDouble value) {
    int before = rules.currentReplicas();
    rules.sync(value.orElse(Double.NaN));
    state =
        Optional.of(
            rules
                .lastSync()
                .map(sync -> acted(sync, value.orElseThrow()))
                .orElseGet(() -> blind(before)));
  }

  int replicas() {
    return rules.currentReplicas();
  }

  /** The status of the HPA; empty before the first sync. */
  Optional<HpaState> state() {
    return state;
  }

  private HpaState acted(HpaSimulation.Sync sync, double value) {
    double average = Math.ceil(1000 * value / sync.before()) / 1000;
    return new HpaState(
        sync.before(),
        sync.after(),
        List.of(new SeenMetric(workload.metric(), average)),
        List.of(
            new Condition("AbleToScale", true, able(sync), ""),
            new Condition("ScalingActive", true, "ValidMetricFound", ""),
            limited(sync)));
  }

  private static String able(HpaSimulation.Sync sync) {
    if (sync.stabilized() > sync.proposed()) {
      return "ScaleDownStabilized";
    }
    return sync.stabilized() < sync.proposed() ? "ScaleUpStabilized" : "ReadyForNewScale";
  }

  private static Condition limited(HpaSimulation.Sync sync) {
    if (sync.after() == sync.stabilized()) {
      return new Condition("ScalingLimited", false, "DesiredWithinRange", "");
    }
    return new Condition(
        "ScalingLimited",
        true,
        sync.after() < sync.stabilized() ? "ScaleUpLimit" : "ScaleDownLimit",
        "");
  }

  private HpaState blind(int replicas) {
    return new HpaState(
        replicas,
        replicas,
        List.of(),
        List.of(
            new Condition("AbleToScale", true, "SucceededGetScale", ""),
            new Condition(
                "ScalingActive",
                false,
                "FailedGetExternalMetric",
                "the external metrics API has no value of " + workload.metric())));
  }
}
