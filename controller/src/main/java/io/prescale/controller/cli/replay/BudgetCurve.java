package io.prescale.controller.cli.replay;

import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.cli.terminal.Numbers;
import io.prescale.controller.simulation.replay.PolicyOutcome;
import io.prescale.controller.simulation.replay.Renamed;
import io.prescale.controller.simulation.replay.ReplayPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What keeping to a budget would cost: Prescale with several cost limits.
 *
 * @param chosen the limit that is replayed anyway
 * @param others the other limits, in the order of their runs
 */
record BudgetCurve(Risk.Budget chosen, List<Risk.Budget> others) {
  private static final List<Integer> LIMITS = List.of(1, 2, 4, 8, 16, 32);

  BudgetCurve {
    others = List.copyOf(others);
  }

  /** With other limits from 1 to 32. */
  static BudgetCurve around(Risk.Budget chosen) {
    return new BudgetCurve(
        chosen,
        LIMITS.stream()
            .filter(limit -> limit != chosen.costLimit())
            .map(limit -> chosen.withCostLimit(limit))
            .toList());
  }

  private record Point(double limit, PolicyOutcome outcome) {}

  List<ReplayPolicy> policies(PolicyChoice.Setup setup) {
    return others.stream()
        .<ReplayPolicy>map(
            other ->
                new Renamed(
                    "Prescale with " + label(other),
                    PolicyChoice.PRESCALE.policy(setup.with(other))))
        .toList();
  }

  List<String> labels() {
    return others.stream().map(BudgetCurve::label).toList();
  }

  private static String label(Risk.Budget budget) {
    return "cost limit %s".formatted(Numbers.brief(budget.costLimit()));
  }

  /**
   * The lowest limit that keeps to the budget and what it costs, or that none does.
   *
   * @param prescale with the chosen limit
   * @param results with the other ones, in their order
   */
  String sentence(PolicyOutcome prescale, List<PolicyOutcome> results) {
    var points = new ArrayList<Point>();
    points.add(new Point(chosen.costLimit(), prescale));
    for (int i = 0; i < others.size(); i++) {
      points.add(new Point(others.get(i).costLimit(), results.get(i)));
    }
    points.sort(Comparator.comparingDouble(Point::limit));
    var instead = "%.2f with %s".formatted(prescale.costVsClairvoyant(), label(chosen));
    return points.stream()
        .filter(point -> point.outcome().overloadedShare() <= chosen.share())
        .findFirst()
        .map(
            point ->
                "The lowest cost limit that keeps to the budget of %s is %s: %s of the time, at %.2f times the clairvoyant's replica-hours%s."
                    .formatted(
                        Conclusion.percent(chosen.share()),
                        Numbers.brief(point.limit()),
                        Conclusion.percent(point.outcome().overloadedShare()),
                        point.outcome().costVsClairvoyant(),
                        point.limit() == chosen.costLimit() ? "" : " instead of " + instead))
        .orElseGet(() -> none(points.getLast(), instead));
  }

  private String none(Point last, String instead) {
    return "No cost limit up to %s keeps to the budget of %s: that one leaves %s, at %.2f times the clairvoyant's replica-hours instead of %s."
        .formatted(
            Numbers.brief(last.limit()),
            Conclusion.percent(chosen.share()),
            Conclusion.percent(last.outcome().overloadedShare()),
            last.outcome().costVsClairvoyant(),
            instead);
  }
}
