package io.prescale.controller.web;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A workload as it is now.
 *
 * @param id names it in the API
 * @param active whether its HPA follows Prescale; in Shadow mode it follows its own rules
 * @param notScaling why the HPA does not scale as it should; empty in Shadow mode, where none
 *     scales
 * @param metric that its HPA reads; of several, the one that asks for most replicas
 * @param metrics all that its HPA reads
 * @param units of those of them whose unit is known
 * @param capacityPerReplica demand that one ready replica carries; empty before the first decision
 * @param demand during the newest minute; empty when it was not observed
 * @param served what the metrics API answers now
 * @param wanted replicas that the HPA asks for, in Shadow mode would ask for; empty before the
 *     first decision
 * @param ready empty when it is not known
 * @param unplaced replicas that no node has room for
 * @param leadSeconds from a decision until its replicas serve; empty before the first decision
 * @param state of the forecasts: learning, trusted or distrusted; blind, when the metric is
 *     missing; or broken, when nothing is decided at all
 * @param note a sentence about that state
 * @param scores of the forecasts
 * @param budget share of the time that capacity may fall short, 0 to 1
 * @param since when the following figures count, within the last day: those of a time in the same
 *     mode, as far as it was seen; empty before there are any
 * @param shortSeconds in which capacity fell short
 * @param replicaHours of all replicas
 * @param reactive what a plain HPA would have done to the same load
 */
public record WorkloadSummary(
    String id,
    boolean active,
    Optional<String> notScaling,
    String metric,
    List<String> metrics,
    Map<String, String> units,
    OptionalDouble capacityPerReplica,
    OptionalDouble demand,
    ServedNow served,
    OptionalInt wanted,
    OptionalInt ready,
    int unplaced,
    OptionalLong leadSeconds,
    State state,
    String note,
    Scores scores,
    double budget,
    Optional<Instant> since,
    long shortSeconds,
    double replicaHours,
    Reactive reactive) {
  public WorkloadSummary {
    metrics = List.copyOf(metrics);
    units = Map.copyOf(units);
  }

  /** What may be said of the forecasts. */
  public enum State {
    LEARNING,
    TRUSTED,
    DISTRUSTED,
    BLIND,
    BROKEN
  }

  /**
   * How good the forecasts are; empty before one was settled.
   *
   * @param error mean distance of the forecast median from what came, divided by the mean demand
   * @param coverage90 share of windows whose highest demand stayed within the 90 % quantile
   * @param coverage95 the same for the 95 % quantile
   */
  public record Scores(OptionalDouble error, OptionalDouble coverage90, OptionalDouble coverage95) {
    public static final Scores NONE =
        new Scores(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());
  }

  /** The same figures for a plain HPA. */
  public record Reactive(int wanted, int ready, long shortSeconds, double replicaHours) {}
}
