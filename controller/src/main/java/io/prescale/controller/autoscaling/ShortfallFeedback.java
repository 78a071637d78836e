package io.prescale.controller.autoscaling;

/**
 * What a minute of shortage is worth, in replica-minutes per replica of the service's usual size,
 * so that the share of time in shortage tends to a budget.
 *
 * <p>The price starts at {@value #SPEND} / budget: shortages that use the budget up then cost
 * {@value #SPEND} of the service. It follows the shortage observed over the last {@value
 * #MEMORY_DAYS} days, and stays within a factor {@value #LIMIT} of where it started: a load that
 * nobody can foresee would otherwise be bought off at any price, and a quiet week would leave the
 * next one bare. Not thread-safe.
 */
public final class ShortfallFeedback {
  private static final double SPEND = 0.05;
  private static final double LIMIT = 2;
  private static final int MEMORY_DAYS = 4;
  private static final double MEMORY_MINUTES = MEMORY_DAYS * 24 * 60.0;

  private final double budget;
  private double shortShare;
  private double usualReplicas;
  private double minutes;

  public ShortfallFeedback(Risk.Budget budget) {
    this.budget = budget.share();
    this.shortShare = budget.share();
  }

  /**
   * A minute has passed.
   *
   * @param neededReplicas that its demand would have filled, finite
   * @param fellShort whether ready capacity was below the demand
   */
  public void minutePassed(double neededReplicas, boolean fellShort) {
    if (!Double.isFinite(neededReplicas)) {
      throw new IllegalArgumentException("replicas needed: " + neededReplicas);
    }
    minutes = Math.min(minutes + 1, MEMORY_MINUTES);
    usualReplicas += (Math.max(1, neededReplicas) - usualReplicas) / minutes;
    shortShare += ((fellShort ? 1 : 0) - shortShare) / MEMORY_MINUTES;
  }

  /** What one minute of shortage is worth now, in replica-minutes. */
  public double price() {
    return SPEND / budget * Math.clamp(shortShare / budget, 1 / LIMIT, LIMIT) * usualReplicas();
  }

  private double usualReplicas() {
    return Math.max(1, usualReplicas);
  }

  /** The fading share of time in shortage; the budget before anything was observed. */
  public double shortShare() {
    return shortShare;
  }
}
