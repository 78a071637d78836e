package io.prescale.controller.autoscaling;

import java.util.Optional;

/**
 * The target as it is now.
 *
 * @param current replicas that the target's scale asks for ({@code spec.replicas}), 0 or more
 * @param ready replicas that serve
 * @param lead what {@link LeadTimeEstimator} gives, or a declared one
 * @param hpa the status of the HPA that acts on the target, if there is one
 */
public record ReplicaState(int current, int ready, LeadTime lead, Optional<HpaState> hpa) {
  public ReplicaState {
    if (current < 0 || ready < 0) {
      throw new IllegalArgumentException("replicas: %d, ready: %d".formatted(current, ready));
    }
  }

  /**
   * Whether an HPA that acts on the target has read this metric. One that stands still at zero, as
   * KEDA's does, shows no metrics, and acts.
   */
  public boolean isScaledBy(String metric) {
    return hpa.filter(
            it -> current == 0 || it.seen().stream().anyMatch(seen -> seen.name().equals(metric)))
        .isPresent();
  }
}
