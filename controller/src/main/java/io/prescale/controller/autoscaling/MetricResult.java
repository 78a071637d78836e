package io.prescale.controller.autoscaling;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The result of a tick for one metric.
 *
 * @param observed demand during the newest completed step; empty before the first
 * @param served the last value that was computed, possibly in an earlier tick; see {@link
 *     ServedValue#computedAt}. Empty until this cycle has computed a value. Until then, the value
 *     that an earlier process wrote to the status remains in force
 * @param decision that led to {@code served}
 * @param forecast the newest, also while it is not trusted; empty when there is none
 * @param modelFittedAt when the models were last fitted
 * @param retargeting whether a forecaster for a changed lead time or a longer history is being made
 * @param missedBudget what keeping the budget would cost, where its cost limit is too low for it
 * @param missing why the metric is not known; when this and a new value are both absent, no step
 *     was completed since the last tick, which is no fault
 */
public record MetricResult(
    String name,
    OptionalDouble observed,
    Optional<ServedValue> served,
    Optional<ScalingDecision> decision,
    Optional<ForecastSummary> forecast,
    Trust trust,
    Optional<Instant> modelFittedAt,
    boolean retargeting,
    Optional<MissedBudget> missedBudget,
    Optional<Reading.Missing> missing) {}
