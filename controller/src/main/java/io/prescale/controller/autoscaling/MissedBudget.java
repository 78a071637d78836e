package io.prescale.controller.autoscaling;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A budget that is missed with the current cost limit, and what keeping it would cost.
 *
 * @param budget share of the time that capacity may fall short, above 0 and at most 1
 * @param shortShare of the last days that it did, from 0 to 1
 * @param timesReplicas how many times the current replicas would keep the budget, at least 1; empty
 *     where no cost limit is high enough, or where forecasts see no risk in shortages that happen
 */
public record MissedBudget(double budget, double shortShare, OptionalDouble timesReplicas) {
  public MissedBudget {
    if (!isPossible(budget, shortShare, timesReplicas)) {
      throw new IllegalArgumentException(
          "budget: %s, in shortage: %s".formatted(budget, shortShare));
    }
  }

  /** Whether these could be its parts. */
  public static boolean isPossible(double budget, double shortShare, OptionalDouble timesReplicas) {
    double times = timesReplicas.orElse(1);
    return budget > 0
        && budget <= 1
        && shortShare >= 0
        && shortShare <= 1
        && times >= 1
        && Double.isFinite(times);
  }

  /** The same for people. */
  public String sentence() {
    return "%s of the last days was short of capacity, where the budget allows %s; %s."
        .formatted(percent(shortShare), percent(budget), cost());
  }

  private String cost() {
    return timesReplicas.isEmpty()
        ? "no costLimit would keep it"
        : String.format(
            Locale.ROOT,
            "a higher costLimit and about %.1f times the replicas would keep it",
            timesReplicas.getAsDouble());
  }

  private static String percent(double share) {
    return BigDecimal.valueOf(100 * share)
            .round(new MathContext(2))
            .stripTrailingZeros()
            .toPlainString()
        + " %";
  }
}
