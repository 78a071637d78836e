package io.prescale.controller.simulation.replay;

import io.prescale.controller.autoscaling.ServedValueChoice;

/**
 * The plain HPA: reads the demand of the last complete minute, and keeps what it has when that is
 * missing. Overload is avoided by a low target only. Source: {@code
 * GetExternalPerPodMetricReplicas} in Kubernetes' {@code
 * pkg/controller/podautoscaler/replica_calculator.go}.
 *
 * @param targetUtilization share of a ready replica's capacity that the HPA aims at
 */
public record Reactive(double targetUtilization) implements ReplayPolicy {
  /** The usual advice. */
  public static final double USUAL_TARGET = ServedValueChoice.USUAL_UTILIZATION;

  @Override
  public String name() {
    return "reactive HPA at " + Math.round(100 * targetUtilization) + " %";
  }

  @Override
  public Served next(View view) {
    return Served.of(view.newest());
  }
}
