package io.prescale.controller.autoscaling;

/**
 * Replicas that the newest observed demand needs, without any look ahead.
 *
 * @param replicas whatever the HPA's limits are
 * @param withinLimits what a reactive HPA would be asked for
 */
public record Needed(int replicas, int withinLimits) {
  public Needed {
    if (replicas < 0 || withinLimits < 0) {
      throw new IllegalArgumentException(
          "needed replicas must not be negative: %d, %d".formatted(replicas, withinLimits));
    }
  }
}
