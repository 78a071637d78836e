package io.prescale.controller.cli.place;

import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.terminal.JsonText;
import io.prescale.controller.cli.terminal.OutputFiles;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.cluster.ClusterException;
import io.prescale.controller.input.CsvFile;
import io.prescale.controller.input.InputException;
import io.prescale.controller.place.NodesCsv;
import io.prescale.controller.place.PlacementRules;
import io.prescale.controller.place.PlacementRun;
import io.prescale.controller.place.PlacementsCsv;
import io.prescale.controller.place.PodOutcome;
import io.prescale.controller.place.PodRow;
import io.prescale.controller.place.PodsCsv;
import io.prescale.controller.place.QueuesCsv;
import io.prescale.controller.place.RunningPlaces;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.consolidation.Consolidator;
import io.prescale.placement.consolidation.MoveRules;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code prescale place}: runs the placement engine on files. */
@Command(
    name = "place",
    header = "Places pods on the GPUs of a cluster, described in files or running.",
    sortOptions = false,
    customSynopsis = {
      "prescale place --nodes FILE --pods FILE [--queues FILE] [OPTION...]",
      "       prescale place --nodes FILE --pods FILE --arrivals SHARE [OPTION...]",
      "       prescale place --nodes FILE --pods FILE --lifetimes SHARE [OPTION...]",
      "       prescale place --cluster --manifest FILE [OPTION...]",
    },
    footer = {
      "",
      "The files are CSV with a header. The columns of Alibaba's openb trace suffice:",
      "  nodes: sn,cpu_milli,memory_mib,gpu,model",
      "  pods:  name,cpu_milli,memory_mib,num_gpu,gpu_milli",
      "Optional columns are described in docs/reference/place-files.md.",
      "",
      "Examples:",
      "  prescale place --nodes nodes.csv --pods pods.csv",
      "      Places the pods in the order of the file, and explains each refusal.",
      "  prescale place --nodes nodes.csv --pods pods.csv --explain chat-7b-0",
      "      Explains where this pod is placed, or why it is refused.",
      "  prescale place --nodes nodes.csv --pods pods.csv --queues queues.csv --evict",
      "      Also evicts preemptible pods for queues below their guarantee.",
      "  prescale place --nodes nodes.csv --pods pods.csv --moves-for train-0",
      "      Plans the fewest moves of running pods that make room for this pod.",
      "  prescale place --nodes nodes.csv --pods pods.csv \\",
      "      --policy prescale,fgd,bestfit --arrivals 130%% --runs 10",
      "      Compares policies: ten times, pods that request 130 %% of the GPUs arrive",
      "      in random order.",
      "  prescale place --cluster --manifest chat.yaml --save cluster.json",
      "      Says where the running cluster would bind these pods, or why they would",
      "      wait. The extender's own code decides, by cards and queues; of",
      "      kube-scheduler's filters only node selectors and taints apply. Nothing is",
      "      changed.",
      "  prescale place --snapshot cluster.json --manifest chat.yaml",
      "      The same later, or elsewhere, on what was saved.",
    })
public final class PlaceCommand implements Callable<Integer> {
  private final Surroundings surroundings;
  private final OutputFiles files;

  @Mixin private PlaceOptions options = new PlaceOptions();

  /**
   * Creates the command, which may run once.
   *
   * @param files the files that the command writes; closed by the caller
   */
  public PlaceCommand(Surroundings surroundings, OutputFiles files) {
    this.surroundings = surroundings;
    this.files = files;
  }

  @Override
  public Integer call()
      throws ClusterException,
          IOException,
          InputException,
          OutputFiles.NotWritable,
          InterruptedException {
    options.requireSense();
    if (options.kubernetes.areGiven()) {
      new ClusterPlacement(options.kubernetes, surroundings, files).run(options.output.json);
      return ExitCode.OK;
    }
    var nodes = NodesCsv.read(file("--nodes", options.inputs.nodes));
    var pods = PodsCsv.read(file("--pods", options.inputs.pods));
    if (options.decisions.isExperiment()) {
      experiment(nodes, pods);
    } else {
      placement(nodes, pods, rules(pods));
    }
    return ExitCode.OK;
  }

  private static CsvFile file(String option, @Nullable Path path) {
    if (path == null) {
      throw new UsageException(
          "%s is missing; a placement needs --nodes FILE and --pods FILE.".formatted(option));
    }
    return CsvFile.of(path);
  }

  private PlacementRules rules(List<PodRow> pods) throws InputException, InterruptedException {
    if (options.inputs.queues == null) {
      return options.rules();
    }
    var tree = QueuesCsv.read(CsvFile.of(options.inputs.queues));
    QueuesCsv.requireQueues(tree, pods, String.valueOf(options.inputs.pods));
    return options.rules().withQueues(tree);
  }

  private void placement(List<NodeSpec> nodes, List<PodRow> pods, PlacementRules rules)
      throws InputException, OutputFiles.NotWritable, InterruptedException {
    var start =
        new RunningPlaces(String.valueOf(options.inputs.pods))
            .addTo(ClusterSnapshot.of(nodes), pods);
    var fragmentation = PlacePolicy.fragmentation(pods);
    var runs = new ArrayList<PlaceReport.Run>();
    for (var policy : options.decisions.policies) {
      var run = new PlacementRun(start, pods, policy.placer(fragmentation, start), rules);
      runs.add(place(policy, run, fragmentation));
    }
    var last = runs.getLast();
    var csv = options.output.csv;
    if (csv != null) {
      files.write(csv, surroundings.out(), out -> PlacementsCsv.write(last.outcomes(), out));
      files.publish();
    }
    if (options.csvToStandardOutput()) {
      return;
    }
    if (options.output.explain != null) {
      explain(outcome("--explain", options.output.explain, last));
    } else {
      print(new PlaceReport(nodes, runs), moves(pods, last, fragmentation));
    }
  }

  private PlaceReport.Run place(PlacePolicy policy, PlacementRun run, Fragmentation fragmentation)
      throws InterruptedException {
    long begun = System.nanoTime();
    try (var progress = surroundings.progress("Placing", options.output.talk.progress())) {
      var outcomes = run.place(progress::update);
      double seconds = (System.nanoTime() - begun) / 1e9;
      return PlaceReport.Run.of(policy.key(), run.cluster(), outcomes, fragmentation, seconds);
    }
  }

  private static PodOutcome outcome(String option, String name, PlaceReport.Run run) {
    return run.outcomes().stream()
        .filter(it -> it.request().name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new UsageException("%s: the file has no pod named %s.".formatted(option, name)));
  }

  private void explain(PodOutcome outcome) {
    if (options.output.json) {
      JsonText.print(PlaceJson.of(outcome), surroundings.out());
    } else {
      new PlaceExplanation(outcome).lines().forEach(surroundings.out()::println);
    }
  }

  private Optional<PlaceMoves> moves(
      List<PodRow> pods, PlaceReport.Run run, Fragmentation fragmentation) {
    if (!options.plansMoves()) {
      return Optional.empty();
    }
    var consolidator = new Consolidator(new LinkedCards());
    var rules = MoveRules.atMost(options.mostMoves()).withGangMinimum(PodRow.gangMinimum(pods));
    var name = options.output.movesFor;
    if (name == null) {
      var plan = consolidator.lowerFragmentation(run.cluster(), fragmentation, rules);
      return Optional.of(new PlaceMoves(plan, Optional.empty()));
    }
    var outcome = outcome("--moves-for", name, run);
    if (outcome.place().isPresent()) {
      throw new UsageException(
          "--moves-for: pod %s already has a place; name a refused pod.".formatted(name));
    }
    var plan = consolidator.freeShape(run.cluster(), outcome.request(), rules);
    return Optional.of(new PlaceMoves(plan, Optional.of(name)));
  }

  private void print(PlaceReport report, Optional<PlaceMoves> moves) {
    if (options.output.json) {
      JsonText.print(PlaceJson.of(report, moves), surroundings.out());
      return;
    }
    var out = surroundings.out();
    report.lines().forEach(out::println);
    moves.ifPresent(
        plan -> {
          out.println();
          plan.lines().forEach(out::println);
        });
  }

  private void experiment(List<NodeSpec> nodes, List<PodRow> pods)
      throws InputException, InterruptedException {
    var experiment = new PlaceExperiment(nodes, pods);
    var table =
        new ExperimentTable(
            experimentTitle(), options.decisions.lifetimes == null ? "arrived_percent" : "second");
    long total = (long) options.decisions.runs * options.decisions.policies.size();
    try (var progress = surroundings.progress("Experimenting", options.output.talk.progress())) {
      for (int run = 0; run < options.decisions.runs; run++) {
        for (var policy : options.decisions.policies) {
          table.add(policy.key(), experiment(experiment, policy, options.decisions.seed + run));
          progress.update(table.size(), total);
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
        }
      }
    }
    if (options.output.json) {
      JsonText.print(table.json(), surroundings.out());
    } else {
      table.lines().forEach(surroundings.out()::println);
    }
  }

  private String experimentTitle() {
    return options.decisions.lifetimes == null
        ? "Pods requesting %d %% of the GPUs arrive and stay"
            .formatted(Objects.requireNonNull(options.decisions.arrivals).percent())
        : "Pods come and go, requesting %d %% of the GPUs on average"
            .formatted(options.decisions.lifetimes.percent());
  }

  private ExperimentTable.Run experiment(PlaceExperiment experiment, PlacePolicy policy, long seed)
      throws InputException {
    return options.decisions.lifetimes == null
        ? experiment.arrivals(
            policy, Objects.requireNonNull(options.decisions.arrivals).percent(), seed)
        : experiment.lifetimes(policy, options.decisions.lifetimes.percent(), seed);
  }
}
