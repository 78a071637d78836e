package io.prescale.controller.operator;

import io.prescale.controller.demand.prometheus.AllowedServers;
import java.time.Duration;
import java.util.List;

/**
 * What an administrator allows those who write PredictiveHPAs.
 *
 * @param servers that {@code spec.prometheus} may name
 * @param shortestStep of a forecast, and so between two decisions
 * @param enforceNamespace whether the default server has a prom-label-proxy, and a query is to find
 *     series of its own namespace alone
 * @param objectsPerNamespace that are worked on at most
 */
public record TenantLimits(
    AllowedServers servers,
    Duration shortestStep,
    boolean enforceNamespace,
    NamespaceLimit objectsPerNamespace) {
  public TenantLimits {
    if (!shortestStep.isPositive()) {
      throw new IllegalArgumentException("The shortest step must be positive: " + shortestStep);
    }
  }

  /**
   * No server but the administrator's, with series of all namespaces, steps of ten seconds, and 500
   * objects in a namespace.
   */
  public static TenantLimits defaults() {
    return new TenantLimits(
        AllowedServers.of(List.of()), Duration.ofSeconds(10), false, new NamespaceLimit(500));
  }
}
