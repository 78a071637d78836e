package io.prescale.controller.autoscaling;

import java.util.List;
import java.util.Optional;

/**
 * What the status of an {@code autoscaling/v2} HPA says.
 *
 * @param currentReplicas as the HPA saw them
 * @param desiredReplicas what it decided
 * @param seen the external metrics that it has read
 * @param conditions of the types AbleToScale, ScalingActive and ScalingLimited
 */
public record HpaState(
    int currentReplicas, int desiredReplicas, List<SeenMetric> seen, List<Condition> conditions) {

  /**
   * An external metric in {@code status.currentMetrics}.
   *
   * @param averageValue the metric divided by the current replicas, which is what the status holds
   */
  public record SeenMetric(String name, double averageValue) {}

  /**
   * A condition of the HPA.
   *
   * @param isTrue whether its status is {@code "True"}
   * @param reason such as {@code ScaleDownStabilized}
   */
  public record Condition(String type, boolean isTrue, String reason, String message) {}

  public HpaState {
    seen = List.copyOf(seen);
    conditions = List.copyOf(conditions);
  }

  Optional<Condition> condition(String type) {
    return conditions.stream().filter(c -> c.type().equals(type)).findFirst();
  }
}
