package io.prescale.controller.cli.replay;

import io.prescale.controller.autoscaling.IdleRule;
import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.autoscaling.StartCost;
import io.prescale.controller.cli.options.Share;
import io.prescale.controller.cli.options.ShareOfTime;
import io.prescale.controller.cli.options.UsageException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much shortage is accepted, and what a start costs. */
final class RiskOptions {
  private static final double USUAL_BUDGET = 0.005;

  @Option(
      names = "--budget",
      paramLabel = "SHARE",
      description =
          "Share of the time during which ready capacity may fall short (default: 0.5%%).")
  @Nullable ShareOfTime budget;

  @Option(
      names = "--cost-limit",
      paramLabel = "N",
      description =
          "By what factor the price of a shortage may rise while the budget is missed, 1 to 100"
              + " (default: 2).")
  @Nullable Integer costLimit;

  @Option(
      names = "--budget-curve",
      description =
          "Replays Prescale with the cost limits 1, 2, 4, 8, 16 and 32 too, and says which of them"
              + " keeps to the budget, and what that costs.")
  boolean budgetCurve;

  @Option(
      names = "--shortage-cost",
      paramLabel = "N",
      description =
          "Used instead of a budget: one missing replica-minute costs as much as N idle ones.")
  @Nullable Double shortageCost;

  @Option(
      names = "--start-cost",
      paramLabel = "MINUTES",
      description =
          "What a start is worth in replica-minutes, 0 to 60 (default: 0, starts are free):"
              + " replicas are started later and kept while they are likely to be needed again.")
  double startCost;

  @Option(
      names = "--risk-at-zero",
      paramLabel = "SHARE",
      description =
          "With --min 0: accepted probability that demand comes while there is no replica (default:"
              + " 5%%).")
  @Nullable Share riskAtZero;

  Risk risk() {
    if (budget != null && shortageCost != null) {
      throw new UsageException(
          "--budget and --shortage-cost both state the accepted risk; choose one.");
    }
    if (shortageCost != null && (costLimit != null || budgetCurve)) {
      throw new UsageException(
          "--cost-limit and --budget-curve are about a budget; leave --shortage-cost out.");
    }
    var start = UsageException.unlessValid("--start-cost", () -> new StartCost(startCost));
    if (shortageCost != null) {
      double cost = shortageCost;
      return UsageException.unlessValid(
          "--shortage-cost", () -> new Risk.ShortageCost(cost, start));
    }
    double share = budget == null ? USUAL_BUDGET : budget.value();
    var usual =
        UsageException.unlessValid(
            "--budget", () -> new Risk.Budget(share, Risk.Budget.USUAL_COST_LIMIT, start));
    double limit = costLimit == null ? usual.costLimit() : costLimit;
    return UsageException.unlessValid("--cost-limit", () -> usual.withCostLimit(limit));
  }

  /** Refuses what only Prescale heeds, where it is not replayed. */
  void requireUse(List<PolicyChoice> policies) {
    var isGiven =
        budget != null
            || costLimit != null
            || budgetCurve
            || shortageCost != null
            || startCost != 0
            || riskAtZero != null;
    if (isGiven && !policies.contains(PolicyChoice.PRESCALE)) {
      throw new UsageException(
          "The options of the accepted risk are Prescale's; add prescale to --policies, or remove"
              + " them.");
    }
  }

  /** The curve, if it is asked for. */
  Optional<BudgetCurve> curve() {
    if (!budgetCurve || !(risk() instanceof Risk.Budget chosen)) {
      return Optional.empty();
    }
    return Optional.of(BudgetCurve.around(chosen));
  }

  /**
   * The accepted risk at zero.
   *
   * @param min the minimum number of replicas
   */
  double riskAtZero(int min) {
    if (riskAtZero == null) {
      return IdleRule.USUAL_RISK;
    }
    if (min > 0) {
      throw new UsageException("--risk-at-zero is about a minimum of 0; add --min 0.");
    }
    double risk = riskAtZero.value();
    if (!(risk > 0 && risk <= 0.5)) {
      throw new UsageException("--risk-at-zero must be above 0% and at most 50%.");
    }
    return risk;
  }
}
