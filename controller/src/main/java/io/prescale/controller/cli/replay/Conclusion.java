package io.prescale.controller.cli.replay;

import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.cli.terminal.Numbers;
import io.prescale.controller.simulation.replay.PolicyOutcome;
import java.util.Optional;

/**
 * The result of a replay in a few sentences.
 *
 * @param budgetCurve what keeping to the budget would cost, if that was replayed
 */
record Conclusion(
    PolicyOutcome prescale,
    PolicyOutcome clairvoyant,
    Optional<PolicyOutcome> reactive,
    Risk risk,
    Optional<String> budgetCurve) {
  String sentence() {
    return "Prescale would have been short of capacity for %s of the time%s%s, with %s.%s%s%s%s%s%s"
        .formatted(
            percent(prescale.overloadedShare()),
            reactive.map(it -> " instead of " + percent(it.overloadedShare())).orElse(""),
            aboutBudget(),
            reactive.map(this::comparedWith).orElseGet(this::comparedWithClairvoyant),
            prescale.aboutGaps().map(it -> " " + it).orElse(""),
            prescale.aboutTrust().map(it -> " " + it).orElse(""),
            aboutChurn(),
            risk.startCost().sentence(),
            aboutShortUses(),
            prescale.aboutBudget(risk, budgetCurve).map(it -> " " + it).orElse(""));
  }

  private String aboutChurn() {
    return " It would have scaled %,.0f times a day and reversed %,.0f times%s."
        .formatted(
            prescale.scaleEventsPerDay(),
            prescale.reversalsPerDay(),
            reactive
                .map(
                    it ->
                        ", the reactive HPA %,.0f and %,.0f"
                            .formatted(it.scaleEventsPerDay(), it.reversalsPerDay()))
                .orElse(""));
  }

  /** What a start cost is for. */
  private String aboutShortUses() {
    return risk.startCost().replicaMinutes() == 0
        ? ""
        : " Of its starts, %,.0f a day were for five minutes of use or less%s."
            .formatted(
                prescale.shortUsesPerDay(),
                reactive
                    .map(it -> ", of the reactive HPA's %,.0f".formatted(it.shortUsesPerDay()))
                    .orElse(""));
  }

  private String aboutBudget() {
    if (!(risk instanceof Risk.Budget budget)) {
      return "";
    }
    boolean met = prescale.overloadedShare() <= budget.share();
    return (met ? " (within" : " (above") + " the budget of " + percent(budget.share()) + ")";
  }

  private String comparedWith(PolicyOutcome other) {
    if (other.replicaHours() == 0) {
      return "%,.0f replica-hours, where the reactive HPA had none"
          .formatted(prescale.replicaHours());
    }
    double change = prescale.replicaHours() / other.replicaHours() - 1;
    if (Math.abs(change) < 0.005) {
      return "as many replica-hours as the reactive HPA (%,.0f)".formatted(prescale.replicaHours());
    }
    var direction = change < 0 ? "fewer" : "more";
    return "%.0f %% %s replica-hours than the reactive HPA (%,.0f instead of %,.0f)"
        .formatted(
            100 * Math.abs(change), direction, prescale.replicaHours(), other.replicaHours());
  }

  private String comparedWithClairvoyant() {
    if (clairvoyant.replicaHours() == 0) {
      return "%,.0f replica-hours, where none were needed".formatted(prescale.replicaHours());
    }
    return "%.2f times the replica-hours of the clairvoyant policy (%,.0f)"
        .formatted(prescale.costVsClairvoyant(), clairvoyant.replicaHours());
  }

  static String percent(double share) {
    return Numbers.brief(Math.round(share * 1e4) / 100.0) + " %";
  }
}
