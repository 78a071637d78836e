package io.prescale.controller.web.live;

import io.prescale.controller.autoscaling.Explanation;
import io.prescale.controller.autoscaling.HpaRules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * One minute of a workload, from the last status in it.
 *
 * @param begin beginning of the minute
 * @param isActive whether the HPA followed Prescale
 * @param why the decision
 * @param metrics all metrics, including those that did not decide
 * @param current number of replicas
 * @param ready number of ready replicas; empty if unknown
 * @param reactive replicas that a reactive HPA would have requested
 * @param reactiveReady ready replicas under a reactive HPA
 */
record WatchedMinute(
    Instant begin,
    boolean isActive,
    Explanation why,
    List<WatchedMetric> metrics,
    int current,
    OptionalInt ready,
    int reactive,
    int reactiveReady) {
  WatchedMinute {
    metrics = List.copyOf(metrics);
  }

  /** Whether the demand was observed that the decision is about; else an earlier one stands. */
  boolean isDecided() {
    return metric(why.metric()).map(it -> it.observed().isPresent()).orElse(false);
  }

  /** Whether capacity fell short; not where the demand was not observed. */
  boolean isShort() {
    return isObserved() && ready.isPresent() && needed() > ready.getAsInt();
  }

  boolean isReactiveShort() {
    return isObserved() && needed() > reactiveReady;
  }

  private boolean isObserved() {
    return observedLoad().isPresent();
  }

  private int needed() {
    return HpaRules.replicasFor(load(), 1);
  }

  /**
   * The demand in units of one replica's capacity, by the metric that needs the most replicas; the
   * last one that was observed, where none was in this minute.
   */
  double load() {
    return observedLoad().orElse(why.observed() / why.capacityPerReplica());
  }

  private OptionalDouble observedLoad() {
    return metrics.stream().map(WatchedMetric::load).flatMapToDouble(OptionalDouble::stream).max();
  }

  Optional<WatchedMetric> metric(String name) {
    return metrics.stream().filter(it -> it.name().equals(name)).findFirst();
  }
}
