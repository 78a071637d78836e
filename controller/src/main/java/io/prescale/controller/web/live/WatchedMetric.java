package io.prescale.controller.web.live;

import io.prescale.controller.autoscaling.ForecastSummary;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One metric of a workload in one minute. Numbers are in its unit.
 *
 * @param observed demand of the newest completed step; empty when it was not observed
 * @param served what the metrics API answered; empty where that was an error
 * @param capacityPerReplica demand that one ready replica carries
 */
record WatchedMetric(
    String name,
    OptionalDouble observed,
    Optional<ForecastSummary> forecast,
    OptionalDouble served,
    double capacityPerReplica) {

  /** The demand in units of one replica's capacity. */
  OptionalDouble load() {
    return observed.isPresent()
        ? OptionalDouble.of(observed.getAsDouble() / capacityPerReplica)
        : OptionalDouble.empty();
  }
}
