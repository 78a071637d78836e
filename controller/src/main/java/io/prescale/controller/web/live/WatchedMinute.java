package io.prescale.controller.web.live;

import io.prescale.controller.autoscaling.Explanation;
import io.prescale.controller.autoscaling.HpaRules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A minute of a workload, as the last status of it told.
 *
 * @param begin of the minute
 * @param why the decision
 * @param metrics all of them, also those that did not decide
 * @param current replicas that there were
 * @param ready of which served; NaN when the status does not say
 * @param reactive replicas that a reactive HPA would have asked for
 * @param reactiveReady of which would have served
 */
record WatchedMinute(
    Instant begin,
    Explanation why,
    List<WatchedMetric> metrics,
    int current,
    double ready,
    int reactive,
    int reactiveReady) {
  WatchedMinute {
    metrics = List.copyOf(metrics);
  }

  boolean isShort() {
    return needed() > ready;
  }

  boolean isReactiveShort() {
    return needed() > reactiveReady;
  }

  private int needed() {
    return HpaRules.replicasFor(load(), 1);
  }

  /** The demand in replicas that are just full, by the metric that needs the most of them. */
  double load() {
    return metrics.stream()
        .mapToDouble(WatchedMetric::load)
        .filter(Double::isFinite)
        .max()
        .orElse(why.observed() / why.capacityPerReplica());
  }

  Optional<WatchedMetric> metric(String name) {
    return metrics.stream().filter(it -> it.name().equals(name)).findFirst();
  }
}
