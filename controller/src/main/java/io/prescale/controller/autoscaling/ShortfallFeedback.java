package io.prescale.controller.autoscaling;

import io.prescale.forecasting.online.QuantileForecast;
import java.time.Duration;
import java.util.Optional;

/**
 * What a minute of shortage is worth, in replica-minutes per replica of the service's usual size,
 * so that the share of time in shortage tends to a budget.
 *
 * <p>The price starts at {@value #SPEND} / budget: at that price, shortages that use up the budget
 * cost {@value #SPEND} of the service. It follows the shortage observed over the last {@value
 * #MEMORY_DAYS} days. It rises to the budget's cost limit when twice the budget is in shortage, and
 * no further: otherwise an unpredictable load would buy replicas without end. It falls at most to
 * half: otherwise a quiet week would leave too few for the next. Not thread-safe.
 */
final class ShortfallFeedback {
  private static final double SPEND = 0.05;
  private static final double LEAST = 0.5;
  private static final int MEMORY_DAYS = 4;

  /** The price makes up for smaller misses, and chance for much of them. */
  private static final double CLEARLY_MISSED = 1.25;

  /** At this ratio of the time in shortage to the budget the price is at its limit. */
  private static final int RATIO_AT_LIMIT = 2;

  private final double budget;
  private final double costLimit;
  private final double memorySteps;
  private double shortShare;
  private double usualReplicas;
  private double steps;
  private final HigherPrices higher;

  /**
   * Feedback that has seen nothing yet.
   *
   * @param step time between two calls of {@link #stepPassed}
   */
  ShortfallFeedback(Risk.Budget budget, Duration step) {
    if (!step.isPositive()) {
      throw new IllegalArgumentException("step must be positive: " + step);
    }
    this.memorySteps = (double) Duration.ofDays(MEMORY_DAYS).toNanos() / step.toNanos();
    this.budget = budget.share();
    this.costLimit = budget.costLimit();
    this.shortShare = budget.share();
    this.higher = new HigherPrices(memorySteps);
  }

  /**
   * A step has passed.
   *
   * @param neededReplicas that its demand would have filled, finite
   * @param fellShort whether ready capacity was below the demand
   */
  void stepPassed(double neededReplicas, boolean fellShort) {
    demandSeen(neededReplicas);
    shortShare += ((fellShort ? 1 : 0) - shortShare) / memorySteps;
  }

  /**
   * A step of which only the demand is known, as from a history.
   *
   * @param neededReplicas that its demand would have filled, finite
   */
  void demandSeen(double neededReplicas) {
    if (!Double.isFinite(neededReplicas)) {
      throw new IllegalArgumentException("replicas needed: " + neededReplicas);
    }
    steps = Math.min(steps + 1, memorySteps);
    usualReplicas += (Math.max(1, neededReplicas) - usualReplicas) / steps;
  }

  /**
   * Goes on from a share of time in shortage.
   *
   * @param share from 0 to 1
   */
  void resume(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("share of time in shortage: " + share);
    }
    shortShare = share;
  }

  /** What one minute of shortage is worth now, in replica-minutes. */
  double price() {
    return SPEND / budget * factor(shortShare / budget) * usualReplicas();
  }

  /**
   * By how much the price has risen; with the limit L it is ratio^log2(L), which is the ratio
   * itself for 2.
   *
   * @param ratio of time in shortage to the budget
   */
  private double factor(double ratio) {
    double steepness = Math.log(costLimit) / Math.log(RATIO_AT_LIMIT);
    return ratio < 1 ? Math.max(LEAST, ratio) : Math.min(costLimit, Math.pow(ratio, steepness));
  }

  /**
   * A decision is made at the current price.
   *
   * @param floor that no decision falls below
   */
  void decided(ReplicaChoice choice, QuantileForecast forecast, double floor) {
    higher.decided(choice, forecast, floor, price());
  }

  /** The budget while it is clearly missed, once a day of decisions is known. */
  Optional<MissedBudget> missed() {
    return shortShare < CLEARLY_MISSED * budget || !higher.areKnown()
        ? Optional.empty()
        : Optional.of(
            new MissedBudget(
                budget, shortShare, higher.timesReplicas(budget / shortShare, mostTimes())));
  }

  /** By how much the current price is below that of the highest cost limit. */
  private double mostTimes() {
    return Risk.Budget.HIGHEST_COST_LIMIT / factor(shortShare / budget);
  }

  private double usualReplicas() {
    return Math.max(1, usualReplicas);
  }

  /** The fading share of time in shortage; the budget before anything was observed. */
  double shortShare() {
    return shortShare;
  }
}
