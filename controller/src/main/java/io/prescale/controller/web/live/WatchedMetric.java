package io.prescale.controller.web.live;

import io.prescale.controller.autoscaling.ForecastSummary;
import java.util.Optional;

/**
 * One metric of a workload in one minute. Numbers are in its unit; NaN is unknown.
 *
 * @param observed demand of the newest completed step
 * @param capacityPerReplica demand that one ready replica carries
 */
record WatchedMetric(
    String name,
    double observed,
    Optional<ForecastSummary> forecast,
    double served,
    double capacityPerReplica) {

  /** The demand in units of one replica's capacity. */
  double load() {
    return observed / capacityPerReplica;
  }
}
