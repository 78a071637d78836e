package io.prescale.controller.page;

import io.prescale.controller.autoscaling.Explanation;
import java.time.Instant;

/**
 * A minute of a workload, as the last status of it told.
 *
 * @param begin of the minute
 * @param why the decision
 * @param current replicas that there were
 * @param ready of which served; NaN when the status does not say
 * @param reactive replicas that a reactive HPA would have asked for
 * @param reactiveReady of which would have served
 */
record WatchedMinute(
    Instant begin, Explanation why, int current, double ready, int reactive, int reactiveReady) {
  private static final double ROUNDING = 1e-9;

  boolean isShort() {
    return needed() > ready;
  }

  boolean isReactiveShort() {
    return needed() > reactiveReady;
  }

  private double needed() {
    return why.observed() / why.capacityPerReplica() - ROUNDING;
  }
}
