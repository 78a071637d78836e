package io.prescale.controller.page;

import io.prescale.controller.autoscaling.Explanation;
import io.prescale.controller.autoscaling.HpaRules;
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
  boolean isShort() {
    return needed() > ready;
  }

  boolean isReactiveShort() {
    return needed() > reactiveReady;
  }

  private int needed() {
    return HpaRules.replicasFor(why.observed(), why.capacityPerReplica());
  }
}
