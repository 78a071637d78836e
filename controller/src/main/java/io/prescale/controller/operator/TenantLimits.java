package io.prescale.controller.operator;

import io.prescale.controller.demand.prometheus.AllowedServers;
import java.time.Duration;
import java.util.List;

/**
 * What an administrator allows those who write PredictiveHPAs.
 *
 * @param servers that {@code spec.prometheus} may name
 * @param shortestStep of a forecast, and so between two decisions
 */
public record TenantLimits(AllowedServers servers, Duration shortestStep) {
  public TenantLimits {
    if (!shortestStep.isPositive()) {
      throw new IllegalArgumentException("The shortest step must be positive: " + shortestStep);
    }
  }

  /** No server but the administrator's, and steps of ten seconds. */
  public static TenantLimits defaults() {
    return new TenantLimits(AllowedServers.of(List.of()), Duration.ofSeconds(10));
  }
}
