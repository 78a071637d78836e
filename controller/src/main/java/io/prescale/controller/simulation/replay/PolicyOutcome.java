package io.prescale.controller.simulation.replay;

import io.prescale.controller.autoscaling.Risk;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * How one policy did over the scored part of the trace. Shares are 0 to 1.
 *
 * @param overloadedShare share of the syncs at which demand was above the ready capacity
 * @param overloadedUnobservedShare the part of it that lies in minutes without an observation,
 *     whose demand is interpolated
 * @param unservedShare share of the demand that was above the ready capacity
 * @param replicaHours of created replicas, serving or not
 * @param costVsClairvoyant replica-hours, divided by those of {@link Clairvoyant}
 * @param shortUsesPerDay replicas that were stopped again after five minutes of use at most
 * @param coverage of the policy's quantiles, when it has any
 * @param minutesBelowReactive minutes with a served value under the demand of the minute before,
 *     where that was observed
 * @param untrustedShare share of the minutes in which its forecasts were not trusted, so that
 *     something else was followed
 * @param atZero what came of the permission to have no replicas; empty without it
 */
public record PolicyOutcome(
    String policy,
    double overloadedShare,
    double overloadedUnobservedShare,
    double unservedShare,
    double replicaHours,
    double costVsClairvoyant,
    double scaleEventsPerDay,
    double reversalsPerDay,
    double shortUsesPerDay,
    Optional<Coverage> coverage,
    int minutesBelowReactive,
    double untrustedShare,
    Optional<AtZero> atZero) {
  /** Smaller shares would be shown as 0 %. */
  private static final double LEAST_SHOWN = 0.00005;

  private static final String HOW_TO_SEE_THE_COST =
      "prescale replay --budget-curve says which cost limit would keep to the budget, and what that"
          + " would cost.";

  /** The share of the syncs at which demand that was observed was above the ready capacity. */
  public double overloadedObservedShare() {
    return overloadedShare - overloadedUnobservedShare;
  }

  /** A sentence on the part of the shortage that lies in gaps; empty where there is hardly any. */
  public Optional<String> aboutGaps() {
    return about(
        overloadedUnobservedShare,
        "Of this, %s %% of the time lies in gaps of the data, where demand is interpolated.");
  }

  /** A sentence on the time in which forecasts were not trusted; empty where it is hardly any. */
  public Optional<String> aboutTrust() {
    return about(
        untrustedShare,
        "For %s %% of the time forecasts were not trusted, and the newest value or the day before"
            + " was followed.");
  }

  /**
   * A sentence on what keeping to the budget would cost; empty without a budget, or where it was
   * met.
   *
   * @param replayed the sentence of a replay of several cost limits, which is said in any case
   */
  public Optional<String> aboutBudget(Risk risk, Optional<String> replayed) {
    return replayed.or(
        () ->
            risk instanceof Risk.Budget budget && overloadedShare > budget.share()
                ? Optional.of(HOW_TO_SEE_THE_COST)
                : Optional.empty());
  }

  private static Optional<String> about(double share, String sentence) {
    var percent = BigDecimal.valueOf(Math.round(share * 1e4), 2).stripTrailingZeros();
    return share < LEAST_SHOWN
        ? Optional.empty()
        : Optional.of(sentence.formatted(percent.toPlainString()));
  }
}
