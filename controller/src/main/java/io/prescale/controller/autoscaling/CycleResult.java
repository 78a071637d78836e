package io.prescale.controller.autoscaling;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * All that a tick decided, for the status, the adapter and people.
 *
 * @param at the time of the tick
 * @param metrics in the order of the settings
 * @param desiredReplicas what the HPA will make of the served values within its limits: the highest
 *     of the metrics'; empty while nothing was ever served
 * @param lead the lead time that was asked for
 * @param needed what the newest observed demand needs; empty while nothing was observed
 * @param explanation of the metric that decided; empty while nothing was ever served
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
