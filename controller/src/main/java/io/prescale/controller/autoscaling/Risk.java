package io.prescale.controller.autoscaling;

/** How much shortage a user accepts, and what a start costs, in words that a user has. */
public sealed interface Risk {
  /** Beyond it, a day of minutes has too few exceedances to judge a quantile by. */
  double HIGHEST_JUDGED_LEVEL = 0.95;

  /**
   * The level at which a quantile costs as much in shortage as in idleness, for judging forecasts;
   * at most {@value #HIGHEST_JUDGED_LEVEL}.
   */
  default double operatingLevel() {
    double level =
        switch (this) {
          case Budget budget -> 1 - budget.share();
          case ShortageCost cost -> 1 - 1 / cost.idleReplicas();
        };
    return Math.clamp(level, 0.5, HIGHEST_JUDGED_LEVEL);
  }

  /**
   * What a missing replica costs, in replicas that are idle as long: the price at which as many
   * replicas are worth having as this risk allows.
   */
  default double shortagePrice() {
    return switch (this) {
      case Budget budget -> 1 / budget.share() - 1;
      case ShortageCost cost -> cost.idleReplicas() - 1;
    };
  }

  /** What a start costs. */
  StartCost startCost();

  /**
   * Ready capacity may fall short of demand for this share of the time.
   *
   * @param share above 0, at most 0.5
   * @param costLimit by what factor the price of a shortage rises when twice the budget is in
   *     shortage, from 1 to {@value #HIGHEST_COST_LIMIT}
   * @param startCost what a start costs
   */
  record Budget(double share, double costLimit, StartCost startCost) implements Risk {
    /** The cost limit of those who state none. */
    public static final int USUAL_COST_LIMIT = 2;

    public static final int HIGHEST_COST_LIMIT = 100;

    /** A budget with the usual cost limit. */
    public Budget(double share) {
      this(share, USUAL_COST_LIMIT);
    }

    /** A budget where starts are free. */
    public Budget(double share, double costLimit) {
      this(share, costLimit, StartCost.NONE);
    }

    public Budget {
      if (!(share > 0 && share <= 0.5)) {
        throw new IllegalArgumentException(
            "budget must be above 0 and at most 50 % of the time: " + 100 * share + " %");
      }
      if (!(costLimit >= 1 && costLimit <= HIGHEST_COST_LIMIT)) {
        throw new IllegalArgumentException(
            "cost limit must be from 1 to %d: %s".formatted(HIGHEST_COST_LIMIT, costLimit));
      }
    }

    /** The same budget with another cost limit. */
    public Budget withCostLimit(double newCostLimit) {
      return new Budget(share, newCostLimit, startCost);
    }
  }

  /**
   * A replica-minute of demand that finds no replica costs as much as this many idle
   * replica-minutes.
   *
   * @param idleReplicas above 1
   * @param startCost what a start costs
   */
  record ShortageCost(double idleReplicas, StartCost startCost) implements Risk {
    /** A shortage cost where starts are free. */
    public ShortageCost(double idleReplicas) {
      this(idleReplicas, StartCost.NONE);
    }

    public ShortageCost {
      if (!(idleReplicas > 1 && idleReplicas <= 1e6)) {
        throw new IllegalArgumentException(
            "shortage cost must be above 1 and at most 1000000 idle replicas: " + idleReplicas);
      }
    }
  }
}
