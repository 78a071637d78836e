package io.prescale.controller.cli.place;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prescale.controller.cli.terminal.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/** The results of policies in the same experiments, as means over the runs. */
final class ExperimentTable {

  private final String title;
  private final String axis;
  private final SequencedMap<String, List<Run>> runs = new LinkedHashMap<>();

  /**
   * Creates a table without runs.
   *
   * @param title what happens in each run, without a full stop
   * @param axis the name of {@link Sample#at} in JSON
   */
  ExperimentTable(String title, String axis) {
    this.title = title;
    this.axis = axis;
  }

  /**
   * The state during an experiment.
   *
   * @param at percent of the GPUs requested so far, or the second
   */
  record Sample(long at, double unallocatedPercent, double fragmentedPercent) {}

  /**
   * One experiment.
   *
   * @param samples taken during the experiment
   */
  record Run(
      long seed,
      int placed,
      int refused,
      double unallocatedPercent,
      double fragmentedPercent,
      double decisionsPerSecond,
      List<Sample> samples) {
    Run {
      samples = List.copyOf(samples);
    }
  }

  void add(String policy, Run run) {
    runs.computeIfAbsent(policy, _ -> new ArrayList<>()).add(run);
  }

  int size() {
    return runs.values().stream().mapToInt(List::size).sum();
  }

  List<String> lines() {
    var lines = new ArrayList<String>();
    int each = runs.firstEntry().getValue().size();
    lines.add("%s; %s.".formatted(title, each == 1 ? "one run" : "means of " + each + " runs"));
    lines.add("");
    var table =
        new TextTable(
            List.of("", "unallocated", "", "fragmented", "", "decisions"),
            List.of("", "% of GPUs", "±", "% of GPUs", "refused", "a second"));
    runs.forEach((policy, all) -> table.row(cells(policy, all)));
    lines.addAll(table.lines());
    return lines;
  }

  private static List<String> cells(String policy, List<Run> all) {
    var unallocated = statistics(all, Run::unallocatedPercent);
    return List.of(
        policy,
        "%.2f".formatted(unallocated.getMean()),
        all.size() > 1 ? "%.2f".formatted(unallocated.getStandardDeviation()) : "",
        "%.2f".formatted(statistics(all, Run::fragmentedPercent).getMean()),
        "%,.0f".formatted(statistics(all, Run::refused).getMean()),
        "%,.0f".formatted(medianSpeed(all)));
  }

  private static SummaryStatistics statistics(List<Run> all, ToDoubleFunction<Run> figure) {
    var statistics = new SummaryStatistics();
    all.forEach(run -> statistics.addValue(figure.applyAsDouble(run)));
    return statistics;
  }

  private static double medianSpeed(List<Run> all) {
    return new Median().evaluate(all.stream().mapToDouble(Run::decisionsPerSecond).toArray());
  }

  /**
   * As JSON: {@code format}, {@code version}, {@code title} and {@code runs}, each with its policy,
   * seed, figures and samples.
   */
  ObjectNode json() {
    var json = PlaceJson.document("prescale-place-experiment").put("title", title);
    var all = json.putArray("runs");
    runs.forEach((policy, those) -> those.forEach(run -> add(policy, run, all.addObject())));
    return json;
  }

  private void add(String policy, Run run, ObjectNode json) {
    json.put("policy", policy)
        .put("seed", run.seed())
        .put("placed", run.placed())
        .put("refused", run.refused())
        .put("unallocated_percent", run.unallocatedPercent())
        .put("fragmented_percent", run.fragmentedPercent())
        .put("decisions_per_second", Math.round(run.decisionsPerSecond()));
    var samples = json.putArray("samples");
    for (var sample : run.samples()) {
      samples
          .addObject()
          .put(axis, sample.at())
          .put("unallocated_percent", sample.unallocatedPercent())
          .put("fragmented_percent", sample.fragmentedPercent());
    }
  }
}
