package io.prescale.controller.cli;

import io.prescale.controller.fleet.FleetRun;
import io.prescale.controller.fleet.NodesCsv;
import io.prescale.controller.fleet.PlacementsCsv;
import io.prescale.controller.fleet.PodOutcome;
import io.prescale.controller.fleet.PodRow;
import io.prescale.controller.fleet.PodsCsv;
import io.prescale.controller.fleet.QueuesCsv;
import io.prescale.controller.input.CsvFile;
import io.prescale.controller.input.InputException;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.queue.QueueTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code prescale place}: the placement engine on files. */
@Command(
    name = "place",
    header = "Places pods on the GPUs of a cluster that is described in files.",
    sortOptions = false,
    customSynopsis = {
      "prescale place --nodes FILE --pods FILE [--queues FILE] [OPTION...]",
      "       prescale place --nodes FILE --pods FILE --arrivals SHARE [OPTION...]",
      "       prescale place --nodes FILE --pods FILE --lifetimes SHARE [OPTION...]",
    },
    footer = {
      "",
      "The files are CSV with a header; the columns of Alibaba's openb trace are enough:",
      "  nodes: sn,cpu_milli,memory_mib,gpu,model",
      "  pods:  name,cpu_milli,memory_mib,num_gpu,gpu_milli",
      "More columns say more: docs/reference/place-files.md.",
      "",
      "Examples:",
      "  prescale place --nodes nodes.csv --pods pods.csv",
      "      Places the pods in their order, and says why the others are refused.",
      "  prescale place --nodes nodes.csv --pods pods.csv --explain chat-7b-0",
      "      Why that pod is where it is, or why it is nowhere.",
      "  prescale place --nodes nodes.csv --pods pods.csv --policy prescale,fgd,bestfit \\",
      "      --arrivals 130%% --runs 10",
      "      Compares policies when pods worth 130 %% of the GPUs arrive in ten random orders.",
    })
public final class PlaceCommand implements Callable<Integer> {
  private final Surroundings surroundings;
  private final OutputFiles files;

  @ArgGroup(validate = false, order = 10, heading = "%nThe cluster:%n")
  private Inputs inputs = new Inputs();

  @ArgGroup(validate = false, order = 20, heading = "%nThe decisions:%n")
  private Decisions decisions = new Decisions();

  @ArgGroup(validate = false, order = 30, heading = "%nOutput:%n")
  private Output output = new Output();

  /** What is placed where. */
  static final class Inputs {
    @Option(names = "--nodes", paramLabel = "FILE", description = "The nodes and their GPUs.")
    @Nullable Path nodes;

    @Option(
        names = "--pods",
        paramLabel = "FILE",
        description = "The pods, in the order of their arrival.")
    @Nullable Path pods;

    @Option(
        names = "--queues",
        paramLabel = "FILE",
        description = "The queues that the pods belong to; without it nothing limits a pod.")
    @Nullable Path queues;
  }

  /** How it is decided. */
  static final class Decisions {
    @Option(
        names = "--policy",
        paramLabel = "NAME",
        split = ",",
        defaultValue = "prescale",
        description =
            "How a place is chosen: prescale, fgd (Weng et al., ATC'23) or bestfit. Several are"
                + " compared. Default: ${DEFAULT-VALUE}.")
    List<PlacePolicy> policies = List.of();

    @Option(
        names = "--arrivals",
        paramLabel = "SHARE",
        description =
            "The experiment of FGD: pods of the file in random order, repeated at random until they"
                + " ask for this share of all GPUs, such as 130%%.")
    @Nullable Percentage arrivals;

    @Option(
        names = "--lifetimes",
        paramLabel = "SHARE",
        description =
            "Pods of the file come at random and leave after the lifetime that the file gives; at a"
                + " time they ask for this share of all GPUs, such as 95%%. Figures are means over"
                + " time.")
    @Nullable Percentage lifetimes;

    @Option(
        names = "--runs",
        paramLabel = "N",
        defaultValue = "1",
        description = "Experiments, each with the next seed. Default: ${DEFAULT-VALUE}.")
    int runs;

    @Option(
        names = "--seed",
        paramLabel = "N",
        defaultValue = "42",
        description = "Of the random order. Default: ${DEFAULT-VALUE}.")
    long seed;

    boolean isExperiment() {
      return arrivals != null || lifetimes != null;
    }
  }

  /** Where the result goes. */
  static final class Output {
    @Option(
        names = "--explain",
        paramLabel = "POD",
        description = "Says why this pod is where it is, or why each node refuses it.")
    @Nullable String explain;

    @Option(
        names = "--out",
        paramLabel = "FILE",
        description = "Writes a row for each pod as CSV: its node and cards, or why it has none.")
    @Nullable Path csv;

    @Option(names = "--json", description = "Prints JSON instead of text.")
    boolean json;

    @ArgGroup(validate = false, multiplicity = "1")
    TalkOptions talk = new TalkOptions();
  }

  /**
   * A command that has not run yet; it may run once.
   *
   * @param files what the command writes, to be closed by whoever calls it
   */
  public PlaceCommand(Surroundings surroundings, OutputFiles files) {
    this.surroundings = surroundings;
    this.files = files;
  }

  @Override
  public Integer call()
      throws InputException, OutputFiles.NotWritable, IOException, InterruptedException {
    requireSense();
    var nodes = NodesCsv.read(file("--nodes", inputs.nodes));
    var pods = PodsCsv.read(file("--pods", inputs.pods));
    var queues = queues(pods);
    if (decisions.isExperiment()) {
      experiment(nodes, pods);
    } else {
      placement(nodes, pods, queues);
    }
    return ExitCode.OK;
  }

  private void requireSense() throws OutputFiles.NotWritable {
    boolean experiment = decisions.isExperiment();
    if (decisions.runs < 1 || decisions.runs > 1000) {
      throw new UsageException("--runs is %d; give 1 to 1000.".formatted(decisions.runs));
    }
    if (decisions.runs > 1 && !experiment) {
      throw new UsageException("--runs repeats an experiment; add --arrivals 130%.");
    }
    if (decisions.arrivals != null && decisions.lifetimes != null) {
      throw new UsageException("--arrivals and --lifetimes are two experiments; choose one.");
    }
    if (experiment && (output.explain != null || output.csv != null || inputs.queues != null)) {
      throw new UsageException(
          "--arrivals and --lifetimes compare policies; they do not go with --explain, --out or"
              + " --queues.");
    }
    if (!experiment
        && decisions.policies.size() > 1
        && (output.explain != null || output.csv != null)) {
      throw new UsageException("--explain and --out are about one --policy; name one.");
    }
    if (output.csv != null) {
      OutputFiles.requireWritable(output.csv);
    }
  }

  private static CsvFile file(String option, @Nullable Path path) {
    if (path == null) {
      throw new UsageException(
          "%s is missing; a placement needs --nodes FILE and --pods FILE.".formatted(option));
    }
    return CsvFile.of(path);
  }

  private Optional<QueueTree> queues(List<PodRow> pods)
      throws InputException, InterruptedException {
    if (inputs.queues == null) {
      return Optional.empty();
    }
    var tree = QueuesCsv.read(CsvFile.of(inputs.queues));
    QueuesCsv.requireQueues(tree, pods, String.valueOf(inputs.pods));
    return Optional.of(tree);
  }

  private void placement(List<NodeSpec> nodes, List<PodRow> pods, Optional<QueueTree> queues)
      throws OutputFiles.NotWritable, IOException, InterruptedException {
    var runs = new ArrayList<PlaceReport.Run>();
    List<PodOutcome> outcomes = List.of();
    for (var policy : decisions.policies) {
      var cluster = ClusterSnapshot.of(nodes);
      var fragmentation = PlacePolicy.fragmentation(pods);
      var run = new FleetRun(cluster, policy.placer(fragmentation, cluster), queues);
      long begun = System.nanoTime();
      try (var progress = surroundings.progress("Placing", output.talk.progress())) {
        outcomes = run.place(pods, progress::update);
      }
      double seconds = (System.nanoTime() - begun) / 1e9;
      runs.add(PlaceReport.Run.of(policy.key(), run.cluster(), outcomes, fragmentation, seconds));
    }
    var csv = output.csv;
    if (csv != null) {
      var rows = outcomes;
      files.write(csv, out -> PlacementsCsv.write(rows, out));
      files.publish();
    }
    print(new PlaceReport(nodes, runs), outcomes);
  }

  private void print(PlaceReport report, List<PodOutcome> outcomes) throws IOException {
    var out = surroundings.out();
    var name = output.explain;
    if (name != null) {
      var outcome =
          outcomes.stream()
              .filter(it -> it.request().name().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new UsageException("--explain: no pod of the file is called " + name + "."));
      new PlaceExplanation(outcome).lines().forEach(out::println);
    } else if (output.json) {
      report.writeJson(out);
    } else {
      report.lines().forEach(out::println);
    }
  }

  private void experiment(List<NodeSpec> nodes, List<PodRow> pods)
      throws InputException, IOException, InterruptedException {
    var experiment = new PlaceExperiment(nodes, pods);
    var table = new ExperimentTable(experimentTitle());
    long total = (long) decisions.runs * decisions.policies.size();
    try (var progress = surroundings.progress("Experimenting", output.talk.progress())) {
      for (int run = 0; run < decisions.runs; run++) {
        for (var policy : decisions.policies) {
          table.add(policy.key(), experiment(experiment, policy, decisions.seed + run));
          progress.update(table.size(), total);
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
        }
      }
    }
    if (output.json) {
      table.writeJson(surroundings.out());
    } else {
      table.lines().forEach(surroundings.out()::println);
    }
  }

  private String experimentTitle() {
    return decisions.lifetimes == null
        ? "Pods that ask for %d %% of the GPUs arrive and stay"
            .formatted(Objects.requireNonNull(decisions.arrivals).percent())
        : "Pods come and go, and ask for %d %% of the GPUs at a time"
            .formatted(decisions.lifetimes.percent());
  }

  private ExperimentTable.Run experiment(PlaceExperiment experiment, PlacePolicy policy, long seed)
      throws InputException {
    return decisions.lifetimes == null
        ? experiment.arrivals(policy, Objects.requireNonNull(decisions.arrivals).percent(), seed)
        : experiment.lifetimes(policy, decisions.lifetimes.percent(), seed);
  }
}
