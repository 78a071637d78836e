package io.prescale.controller.cli.replay;

import io.prescale.controller.cli.terminal.Numbers;
import io.prescale.controller.cli.terminal.TextTable;
import io.prescale.controller.simulation.replay.AtZero;
import io.prescale.controller.simulation.replay.Coverage;
import io.prescale.controller.simulation.replay.PolicyOutcome;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.replay.TraceInfo;
import io.prescale.forecasting.DurationInWords;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A replay's result as text: what was replayed, and a row for each policy.
 *
 * @param labels short names of the policies, in the order of the runs
 * @param gpusPerReplica that a replica holds; empty if they are of no interest
 */
record ReplayTable(ReplayResult result, List<String> labels, OptionalDouble gpusPerReplica) {
  private static final String NONE = "–";

  ReplayTable {
    if (labels.size() != result.runs().size()) {
      throw new IllegalArgumentException(
          labels.size() + " labels for " + result.runs().size() + " policies");
    }
    labels = List.copyOf(labels);
  }

  List<String> lines() {
    var lines = new ArrayList<String>();
    lines.addAll(about());
    lines.add("");
    lines.addAll(table().lines());
    if (result.settings().rules().minReplicas() == 0) {
      lines.add("");
      lines.addAll(atZero().lines());
    }
    return lines;
  }

  private List<String> about() {
    TraceInfo trace = result.trace();
    var settings = result.settings();
    var scored = Duration.ofMinutes(trace.scoredMinutes());
    var gaps =
        trace.interpolatedMinutes() == 0
            ? ""
            : ", %,d of them without data (interpolated for scoring, hidden from the policies)"
                .formatted(trace.interpolatedMinutes());
    return List.of(
        "Scored: %,d minutes (%s) from %s%s."
            .formatted(
                trace.scoredMinutes(),
                DurationInWords.of(scored.truncatedTo(ChronoUnit.HOURS)),
                trace.start().plus(Duration.ofMinutes(trace.scoredFrom())),
                gaps),
        "Demand: mean %s, peak %s; one replica carries %s after a cold start of %s."
            .formatted(
                Numbers.brief(trace.meanDemand()),
                Numbers.brief(trace.peakDemand()),
                Numbers.brief(settings.capacityPerReplica()),
                DurationInWords.of(settings.coldStart().planned())));
  }

  private TextTable table() {
    var table =
        new TextTable(
            List.of(
                "", "overload", "unserved", "replica", "cost", "scaled", "reversed", "P90", "P95"),
            List.of("", "% time", "% load", "hours", "× ideal", "a day", "a day", "held", "held"));
    for (int i = 0; i < labels.size(); i++) {
      table.row(cells(labels.get(i), result.runs().get(i).outcome()));
    }
    return table;
  }

  /** What the permission to have no replicas saves, against the first requests that waited. */
  private TextTable atZero() {
    var heads = List.of("", "no replica", "first requests", "waited on", "longest");
    var units = List.of("", "hours", "that waited", "average, min", "min");
    var table =
        gpusPerReplica.isPresent()
            ? new TextTable(withSecond(heads, "saved"), withSecond(units, "GPU-hours"))
            : new TextTable(heads, units);
    for (int i = 0; i < labels.size(); i++) {
      var row = labels.get(i);
      result.runs().get(i).outcome().atZero().ifPresent(it -> table.row(cells(row, it)));
    }
    return table;
  }

  private List<String> cells(String label, AtZero atZero) {
    var cells =
        List.of(
            label,
            "%,.0f".formatted(atZero.hours()),
            "%,d".formatted(atZero.firstRequests()),
            "%.1f".formatted(atZero.meanWaitMinutes()),
            "%.1f".formatted(atZero.longestWaitMinutes()));
    return gpusPerReplica.isPresent()
        ? withSecond(cells, "%,.0f".formatted(atZero.hours() * gpusPerReplica.getAsDouble()))
        : cells;
  }

  /** With a column after that of the hours. */
  private static List<String> withSecond(List<String> cells, String cell) {
    var more = new ArrayList<>(cells);
    more.add(2, cell);
    return more;
  }

  private static List<String> cells(String label, PolicyOutcome outcome) {
    return List.of(
        label,
        "%.2f".formatted(100 * outcome.overloadedShare()),
        "%.2f".formatted(100 * outcome.unservedShare()),
        "%,.0f".formatted(outcome.replicaHours()),
        cost(outcome.costVsClairvoyant()),
        "%,.0f".formatted(outcome.scaleEventsPerDay()),
        "%,.0f".formatted(outcome.reversalsPerDay()),
        held(outcome.coverage().map(Coverage::p90)),
        held(outcome.coverage().map(Coverage::p95)));
  }

  /** Unknown where the clairvoyant needed no replica. */
  private static String cost(double cost) {
    return Double.isFinite(cost) ? "%.2f".formatted(cost) : NONE;
  }

  private static String held(Optional<Coverage.Score> score) {
    return score
        .map(Coverage.Score::covered)
        .filter(OptionalDouble::isPresent)
        .map(covered -> "%.1f".formatted(100 * covered.getAsDouble()))
        .orElse(NONE);
  }
}
