package io.prescale.controller.cli.place;

import com.fasterxml.jackson.core.JsonGenerator;
import io.prescale.controller.cli.terminal.JsonText;
import io.prescale.controller.cli.terminal.TextTable;
import java.io.IOException;
import java.io.Writer;
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
   * seed, figures and samples. The caller closes the writer.
   */
  void writeJson(Writer out) throws IOException {
    try (var json = JsonText.to(out)) {
      json.writeStartObject();
      json.writeStringField("format", "prescale-place-experiment");
      json.writeNumberField("version", 1);
      json.writeStringField("title", title);
      json.writeArrayFieldStart("runs");
      for (var entry : runs.entrySet()) {
        for (var run : entry.getValue()) {
          write(entry.getKey(), run, json);
        }
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    out.append('\n').flush();
  }

  private void write(String policy, Run run, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("policy", policy);
    json.writeNumberField("seed", run.seed());
    json.writeNumberField("placed", run.placed());
    json.writeNumberField("refused", run.refused());
    json.writeNumberField("unallocated_percent", run.unallocatedPercent());
    json.writeNumberField("fragmented_percent", run.fragmentedPercent());
    json.writeNumberField("decisions_per_second", Math.round(run.decisionsPerSecond()));
    json.writeArrayFieldStart("samples");
    for (var sample : run.samples()) {
      json.writeStartObject();
      json.writeNumberField(axis, sample.at());
      json.writeNumberField("unallocated_percent", sample.unallocatedPercent());
      json.writeNumberField("fragmented_percent", sample.fragmentedPercent());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
