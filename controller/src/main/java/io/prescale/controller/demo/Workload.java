package io.prescale.controller.demo;

import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.MetricSettings;
import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.autoscaling.TargetSettings;
import io.prescale.controller.input.LoadProfile;
import io.prescale.controller.simulation.cards.PodTemplate;
import io.prescale.controller.simulation.replay.ColdStart;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.RequestShape;

/**
 * A service of the simulated cluster.
 *
 * @param name of its Deployment, unique
 * @param capacityPerReplica concurrent requests that one ready replica carries
 * @param load the demand on it
 * @param coldStart from a pod's creation until it serves
 * @param pods what they ask for
 * @param shape the same, as the placement engine reads it
 * @param busyMilli how much of its part of a card a replica keeps busy at full load, in thousandths
 * @param maxReplicas limit of its HPA
 */
public record Workload(
    String name,
    double capacityPerReplica,
    LoadProfile load,
    ColdStart coldStart,
    PodTemplate pods,
    RequestShape shape,
    int busyMilli,
    int maxReplicas) {
  static final String NAMESPACE = "demo";

  /** Share of the time that capacity may fall short. */
  static final double BUDGET = 0.005;

  public Workload {
    if (name.isBlank() || !(capacityPerReplica > 0) || busyMilli < 0 || busyMilli > 1000) {
      throw new IllegalArgumentException(
          "workload '%s' with %s a replica, %d milli busy"
              .formatted(name, capacityPerReplica, busyMilli));
    }
  }

  /** The name of the external metric. */
  String metric() {
    return name + "-demand";
  }

  HpaRules hpa() {
    return HpaRules.defaults().withReplicas(1, maxReplicas);
  }

  TargetSettings settings() {
    return TargetSettings.of(new MetricSettings(metric(), capacityPerReplica))
        .withHpa(hpa())
        .withRisk(new Risk.Budget(BUDGET));
  }

  /** Cards that a replica asks for; a share counts by its compute. */
  double cardsPerReplica() {
    double part =
        switch (shape.demand()) {
          case GpuDemand.Fraction(int milli) -> milli / 1000.0;
          case GpuDemand.Share share -> share.computeMilli() / 1000.0;
          default -> 1;
        };
    return shape.gpus() * part;
  }

  int replicasFor(double demand) {
    return Math.clamp(HpaRules.replicasFor(demand, capacityPerReplica), 1, maxReplicas);
  }
}
