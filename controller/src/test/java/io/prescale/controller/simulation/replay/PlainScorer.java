package io.prescale.controller.simulation.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prescale.controller.autoscaling.HpaRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Scores ticks as {@link IndependentScorer} does, for machines that do not have that program: with
 * {@link HpaOracle} and each figure straight from its definition, and with nothing of the replay's.
 */
public final class PlainScorer {
  private static final int SYNCS_A_MINUTE = 4;
  private static final int WINDOW = 5;

  private final double capacity;
  private final double target;
  private final HpaRules rules;
  private final Duration coldStart;
  private final int skipMinutes;

  public PlainScorer(
      double capacity, double target, HpaRules rules, Duration coldStart, int skipMinutes) {
    this.capacity = capacity;
    this.target = target;
    this.rules = rules;
    this.coldStart = coldStart;
    this.skipMinutes = skipMinutes;
  }

  /** The figures of a file of ticks, under the names that the program gives them. */
  public JsonNode score(Path ticks) throws IOException {
    var lines = Files.readAllLines(ticks);
    var names = List.of(lines.getFirst().split(",", -1));
    double[][] columns =
        IntStream.range(0, names.size())
            .mapToObj(i -> column(lines.subList(1 + skipMinutes, lines.size()), i))
            .toArray(double[][]::new);
    double[] demand = interpolated(columns[names.indexOf("observed")]);
    double[] served = columns[names.indexOf("served")];
    var score = JsonNodeFactory.instance.objectNode();
    replay(demand, served, score);
    score.put(
        "cost_vs_clairvoyant", score.get("replica_hours").asDouble() / clairvoyantHours(demand));
    score.put(
        "minutes_below_reactive",
        IntStream.range(0, demand.length)
            .filter(i -> served[i] < demand[Math.max(0, i - 1)] * (1 - 1e-9))
            .count());
    for (int percent : new int[] {50, 90, 95, 99}) {
      var quantiles = columns[names.indexOf("p" + percent)];
      score.set("p" + percent, judged(quantiles, demand, percent / 100.0));
    }
    return score;
  }

  private static double[] column(List<String> rows, int index) {
    return rows.stream()
        .map(row -> row.split(",", -1)[index])
        .mapToDouble(cell -> cell.isEmpty() ? Double.NaN : Double.parseDouble(cell))
        .toArray();
  }

  /** Straight between two observations; before the first and after the last as these. */
  private static double[] interpolated(double[] observed) {
    int[] known =
        IntStream.range(0, observed.length).filter(i -> !Double.isNaN(observed[i])).toArray();
    var filled = observed.clone();
    Arrays.fill(filled, 0, known[0], observed[known[0]]);
    Arrays.fill(filled, known[known.length - 1], filled.length, observed[known[known.length - 1]]);
    for (int k = 1; k < known.length; k++) {
      int from = known[k - 1];
      double slope = (observed[known[k]] - observed[from]) / (known[k] - from);
      for (int i = from + 1; i < known[k]; i++) {
        filled[i] = slope * (i - from) + observed[from];
      }
    }
    return filled;
  }

  private void replay(double[] demand, double[] served, ObjectNode score) {
    int initial = (int) Math.max(rules.minReplicas(), Math.ceil(demand[0] / target));
    var hpa =
        new HpaOracle(
            rules, target, new ColdStart.Constant(coldStart), initial, new SplittableRandom(1));
    int overloaded = 0;
    double unserved = 0;
    long replicas = 0;
    var changes = new ArrayList<Integer>();
    int syncs = SYNCS_A_MINUTE * demand.length;
    for (int sync = 0; sync < syncs; sync++) {
      double needed = demand[sync / SYNCS_A_MINUTE] / capacity;
      int before = hpa.currentReplicas();
      hpa.sync(served[sync / SYNCS_A_MINUTE]);
      if (hpa.currentReplicas() != before) {
        changes.add(hpa.currentReplicas() - before);
      }
      overloaded += needed > hpa.readyReplicas() + 1e-9 ? 1 : 0;
      unserved += Math.max(0, needed - hpa.readyReplicas());
      replicas += hpa.currentReplicas();
    }
    double total = SYNCS_A_MINUTE * Arrays.stream(demand).sum() / capacity;
    score.put("overloaded_pct", 100.0 * overloaded / syncs);
    score.put("unserved_pct", 100 * unserved / total);
    score.put("replica_hours", replicas / (60.0 * SYNCS_A_MINUTE));
    score.put("scale_events", changes.size());
    score.put(
        "reversals",
        IntStream.range(1, changes.size())
            .filter(i -> changes.get(i) > 0 != changes.get(i - 1) > 0)
            .count());
  }

  /** Of one that has each replica ready exactly when it is needed. */
  private double clairvoyantHours(double[] demand) {
    int lead = leadMinutes();
    double minutes = 0;
    for (int i = 0; i < demand.length; i++) {
      double highest =
          Arrays.stream(demand, i, Math.min(i + lead + 1, demand.length)).max().orElse(0);
      minutes += Math.max(rules.minReplicas(), Math.ceil(highest / capacity - 1e-9));
    }
    return minutes / 60;
  }

  private ObjectNode judged(double[] quantiles, double[] demand, double level) {
    int covered = 0;
    double loss = 0;
    int count = 0;
    for (int i = 0; i + leadMinutes() + WINDOW <= demand.length; i++) {
      if (!Double.isNaN(quantiles[i])) {
        int from = i + leadMinutes();
        double error =
            Arrays.stream(demand, from, from + WINDOW).max().orElseThrow() - quantiles[i];
        covered += error <= 0 ? 1 : 0;
        loss += error > 0 ? level * error : (level - 1) * error;
        count++;
      }
    }
    double mean = Arrays.stream(demand).average().orElseThrow();
    return JsonNodeFactory.instance
        .objectNode()
        .put("coverage_pct", 100.0 * covered / count)
        .put("pinball", loss / count)
        .put("pinball_relative", loss / count / mean);
  }

  private int leadMinutes() {
    return (int) Math.ceil(coldStart.toSeconds() / 60.0);
  }
}
