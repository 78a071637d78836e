package io.prescale.controller.autoscaling;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Everything that a tick decided, for the status and telemetry.
 *
 * @param at the time of the tick
 * @param metrics in the order of the settings
 * @param desiredReplicas what the HPA will make of the served values within its limits: the highest
 *     of the metrics'; empty before the first served value
 * @param lead the lead time that was asked for
 * @param needed what the newest observed demand needs; empty before the first observation
 * @param explanation of the metric that decided; empty before the first served value
 */
public record CycleResult(
    Instant at,
    List<MetricResult> metrics,
    OptionalInt desiredReplicas,
    LeadTime lead,
    Optional<Needed> needed,
    Optional<Explanation> explanation) {
  public CycleResult {
    metrics = List.copyOf(metrics);
  }
}
