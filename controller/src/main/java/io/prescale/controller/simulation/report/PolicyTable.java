package io.prescale.controller.simulation.report;

import io.prescale.controller.simulation.replay.Coverage;
import io.prescale.controller.simulation.replay.PolicyOutcome;
import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.ReplayResult;
import java.util.List;

/** The figures of all policies, one numbered row each; the charts use the same numbers. */
final class PolicyTable {

  private static final List<String> COLUMNS =
      List.of(
          "Overloaded time",
          "Unserved demand",
          "Replica-hours",
          "Cost",
          "Scale events a day",
          "Reversals a day",
          "P90 held",
          "P95 held");

  private PolicyTable() {}

  static Markup of(ReplayResult result, ReportSubject about) {
    var html = new Markup().open("table", "class", "policies");
    html.element("caption", "Figures of all policies", "class", "unseen");
    html.open("thead").open("tr");
    html.element("th", "#", "scope", "col", "class", "rank");
    html.element("th", "Policy", "scope", "col", "class", "name");
    COLUMNS.forEach(column -> html.element("th", column, "scope", "col"));
    html.close().close().open("tbody");
    for (int i = 0; i < result.runs().size(); i++) {
      PolicyRun run = result.runs().get(i);
      row(html, i + 1, run.outcome(), run.outcome().policy().equals(about.policy()));
    }
    return html.close().close();
  }

  private static void row(Markup html, int number, PolicyOutcome outcome, boolean subject) {
    html.open("tr", "class", subject ? "subject" : "other");
    html.element("td", Integer.toString(number), "class", "rank");
    html.open("th", "scope", "row", "class", "name");
    html.element("bdi", outcome.policy()).close();
    cell(html, Figures.percent(outcome.overloadedShare()));
    cell(html, Figures.percent(outcome.unservedShare()));
    cell(html, Figures.decimal(outcome.replicaHours()));
    cell(html, Figures.times(outcome.costVsClairvoyant()));
    cell(html, Figures.decimal(outcome.scaleEventsPerDay()));
    cell(html, Figures.decimal(outcome.reversalsPerDay()));
    cell(html, outcome.coverage().map(Coverage::p90).map(PolicyTable::held).orElse(""));
    cell(html, outcome.coverage().map(Coverage::p95).map(PolicyTable::held).orElse(""));
    html.close();
  }

  private static String held(Coverage.Score score) {
    return Figures.coverage(score.covered());
  }

  private static void cell(Markup html, String figure) {
    html.element("td", figure);
  }
}
