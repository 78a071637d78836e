package io.prescale.controller.cli.place;

import static java.util.Comparator.comparingInt;
import static java.util.stream.Collectors.toList;

import io.prescale.controller.cli.terminal.TextTable;
import io.prescale.controller.place.PodOutcome;
import io.prescale.controller.place.PodOutcome.Evicted;
import io.prescale.controller.place.PodOutcome.HasPlace;
import io.prescale.controller.place.PodOutcome.Refused;
import io.prescale.controller.place.PodOutcome.Running;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.fragmentation.Fragmentation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The results of policies with the pods of a file.
 *
 * @param nodes the cluster
 * @param runs one for each policy
 */
record PlaceReport(List<NodeSpec> nodes, List<Run> runs) {
  private static final int MOST_KINDS = 8;

  /**
   * One policy's result.
   *
   * @param cluster the final state
   * @param allocatedMilli thousandths of a card held by pods
   * @param fragmentedMilli idle thousandths of a card that pods like those of the file cannot use
   */
  record Run(
      String policy,
      ClusterSnapshot cluster,
      List<PodOutcome> outcomes,
      long allocatedMilli,
      double fragmentedMilli,
      double decisionsPerSecond) {

    static Run of(
        String policy,
        ClusterSnapshot cluster,
        List<PodOutcome> outcomes,
        Fragmentation fragmentation,
        double seconds) {
      long allocated =
          cluster
              .placements()
              .flatMap(placement -> placement.shares().stream())
              .mapToLong(GpuShare::computeMilli)
              .sum();
      long decided = outcomes.stream().filter(it -> !(it instanceof Running)).count();
      return new Run(
          policy,
          cluster,
          outcomes,
          allocated,
          fragmentation.milliOf(cluster),
          decided / Math.max(seconds, 1e-9));
    }

    /** How many pods were newly placed. */
    long placed() {
      return outcomes.stream().filter(HasPlace.class::isInstance).count() - running();
    }

    long running() {
      return outcomes.stream().filter(Running.class::isInstance).count();
    }

    long evicted() {
      return outcomes.stream().filter(Evicted.class::isInstance).count();
    }

    /** How many of the evicted pods were placed again. */
    long returned() {
      return outcomes.stream()
          .filter(it -> it instanceof Evicted && it.place().isPresent())
          .count();
    }

    List<Refused> refused() {
      return outcomes.stream().filter(Refused.class::isInstance).map(Refused.class::cast).toList();
    }
  }

  List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add(
        "%,d nodes with %,d GPUs; %,d pods%s."
            .formatted(nodes.size(), gpus(), runs.getFirst().outcomes().size(), ofWhichRun()));
    lines.add("");
    lines.addAll(table().lines());
    if (runs.size() == 1) {
      lines.addAll(returned(runs.getFirst()));
      lines.addAll(refusals(runs.getFirst()));
    }
    return lines;
  }

  private String ofWhichRun() {
    long running = runs.getFirst().running();
    return running == 0 ? "" : ", %,d of them already running".formatted(running);
  }

  private TextTable table() {
    var table =
        new TextTable(
            List.of("", "", "", "", "allocated", "fragmented", "decisions"),
            List.of("", "placed", "refused", "evicted", "% of GPUs", "% of GPUs", "a second"));
    for (var run : runs) {
      table.row(
          List.of(
              run.policy(),
              "%,d".formatted(run.placed()),
              "%,d".formatted(run.refused().size()),
              "%,d".formatted(run.evicted()),
              percentOfGpus((double) run.allocatedMilli()),
              percentOfGpus(run.fragmentedMilli()),
              "%,.0f".formatted(run.decisionsPerSecond())));
    }
    return table;
  }

  private String percentOfGpus(double milli) {
    return gpus() == 0 ? "–" : "%.2f".formatted(100 * milli / capacityMilli(nodes));
  }

  int gpus() {
    return nodes.stream().mapToInt(node -> node.gpus().size()).sum();
  }

  static long capacityMilli(List<NodeSpec> nodes) {
    return nodes.stream()
        .flatMap(node -> node.gpus().stream())
        .mapToLong(gpu -> gpu.computeMilli())
        .sum();
  }

  private static List<String> returned(Run run) {
    return run.evicted() == 0
        ? List.of()
        : List.of(
            "",
            "%,d of the %,d evicted pods were placed again."
                .formatted(run.returned(), run.evicted()));
  }

  private static List<String> refusals(Run run) {
    var byKind =
        run.refused().stream()
            .collect(Collectors.groupingBy(Refused::kind, LinkedHashMap::new, toList()));
    if (byKind.isEmpty()) {
      return List.of();
    }
    var lines = new ArrayList<String>();
    lines.add("");
    lines.add("Refused:");
    byKind.entrySet().stream()
        .sorted(comparingInt(kind -> -kind.getValue().size()))
        .limit(MOST_KINDS)
        .forEach(
            kind -> {
              lines.add("  %,7d  %s".formatted(kind.getValue().size(), kind.getKey()));
              var example = kind.getValue().getFirst();
              lines.add(
                  "           such as %s: %s"
                      .formatted(example.request().name(), example.summary()));
            });
    if (byKind.size() > MOST_KINDS) {
      lines.add(
          "           and %,d more reasons; --out lists them"
              .formatted(byKind.size() - MOST_KINDS));
    }
    return lines;
  }
}
