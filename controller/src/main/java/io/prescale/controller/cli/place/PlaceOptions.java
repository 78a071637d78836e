package io.prescale.controller.cli.place;

import io.prescale.controller.cli.options.Needs;
import io.prescale.controller.cli.options.Percentage;
import io.prescale.controller.cli.options.TalkOptions;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.terminal.OutputFile;
import io.prescale.controller.place.PlacementRules;
import io.prescale.placement.overcommit.OvercommitRule;
import io.prescale.placement.preference.PackingByPriority;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options of {@code prescale place}. */
final class PlaceOptions {
  private static final int MOST_RUNS = 1000;
  private static final int MOST_MOVES = 10_000;
  private static final int USUAL_MOVES = 20;
  private static final int HALF_A_CARD = 500;

  @ArgGroup(validate = false, order = 10, heading = "%nThe cluster:%n")
  Inputs inputs = new Inputs();

  @ArgGroup(validate = false, order = 15, heading = "%nA Kubernetes cluster instead of files:%n")
  ClusterInputs kubernetes = new ClusterInputs();

  @ArgGroup(validate = false, order = 20, heading = "%nThe decisions:%n")
  Decisions decisions = new Decisions();

  @ArgGroup(validate = false, order = 30, heading = "%nOutput:%n")
  Output output = new Output();

  /** The files with the cluster, the pods and the queues. */
  static final class Inputs {
    @Option(
        names = "--nodes",
        paramLabel = "FILE",
        description = "CSV file with the nodes and their GPUs.")
    @Nullable Path nodes;

    @Option(
        names = "--pods",
        paramLabel = "FILE",
        description = "CSV file with the pods, in the order of their arrival.")
    @Nullable Path pods;

    @Option(
        names = "--queues",
        paramLabel = "FILE",
        description =
            "CSV file with the queues that the pods belong to (default: no queues, and so no"
                + " limits).")
    @Nullable Path queues;
  }

  /** How places are chosen. */
  static final class Decisions {
    @Option(
        names = "--policy",
        paramLabel = "NAME",
        split = ",",
        defaultValue = "prescale",
        description =
            "Placement policy: prescale, fgd (Weng et al., ATC'23) or bestfit; several are compared"
                + " (default: ${DEFAULT-VALUE}).")
    List<PlacePolicy> policies = List.of();

    @Option(
        names = "--arrivals",
        paramLabel = "SHARE",
        description =
            "The experiment of the FGD paper: pods drawn at random from the file arrive until they"
                + " have requested this share of all GPUs, such as 130%%.")
    @Nullable Percentage arrivals;

    @Option(
        names = "--lifetimes",
        paramLabel = "SHARE",
        description =
            "Pods of the file arrive at random and leave after their lifetime in the file; on"
                + " average they request this share of all GPUs, such as 95%%. Results are means"
                + " over time.")
    @Nullable Percentage lifetimes;

    @Needs({"--arrivals", "--lifetimes"})
    @Option(
        names = "--runs",
        paramLabel = "N",
        description = "Number of experiments, each with the next seed (default: ${DEFAULT-VALUE}).")
    int runs = 1;

    @Needs({"--arrivals", "--lifetimes"})
    @Option(
        names = "--seed",
        paramLabel = "N",
        description = "Seed of the random order (default: ${DEFAULT-VALUE}).")
    long seed = 42;

    @Needs("--queues")
    @Option(
        names = "--fair",
        description =
            "Serves next the queue that uses the smallest share of its guarantee, instead of the"
                + " pods in the order of the file.")
    boolean fair;

    @Option(
        names = "--evict",
        description =
            "For a pod that fits nowhere, evicts as few preemptible pods as possible: pods of lower"
                + " priority or, with --queues, pods of queues above their guarantee.")
    boolean evict;

    @Option(
        names = "--overcommit",
        paramLabel = "RULE",
        description =
            "How far the memory of shared cards is overcommitted: factor=1.5 regardless of use;"
                + " risk=0.1%% as long as the probability of running out, estimated from the"
                + " observed use of running pods, stays below that; independent-risk=0.1%% also"
                + " assumes that pods do not peak together.")
    @Nullable OvercommitRule overcommit;

    @Option(
        names = "--spread-from",
        paramLabel = "PRIORITY",
        description =
            "From this priority on, pods are spread over nodes, shares of up to half a card are"
                + " packed on cards, and gangs are packed on nodes and spread over cards, unless"
                + " the pod specifies otherwise.")
    @Nullable Integer spreadFrom;

    boolean namesPolicy() {
      return !policies.equals(List.of(PlacePolicy.PRESCALE));
    }

    boolean isExperiment() {
      return arrivals != null || lifetimes != null;
    }
  }

  /** The output options. */
  static final class Output {
    @Option(
        names = "--explain",
        paramLabel = "POD",
        description = "Explains where this pod is placed, or why each node refuses it.")
    @Nullable String explain;

    @Option(
        names = "--out",
        paramLabel = "FILE",
        description =
            "Writes a row for each pod as CSV: its node and cards, or the reason for its refusal;"
                + " with -, to standard output instead of the summary.")
    @Nullable OutputFile csv;

    @Option(
        names = "--moves",
        paramLabel = "N",
        description =
            "After placing, plans at most N moves of preemptible running pods: off unhealthy cards"
                + " first, then to reduce fragmentation.")
    @Nullable Integer moves;

    @Option(
        names = "--moves-for",
        paramLabel = "POD",
        description = "Plans instead the fewest moves that make room for this refused pod.")
    @Nullable String movesFor;

    @Option(names = "--json", description = "Prints JSON instead of text.")
    boolean json;

    @ArgGroup(validate = false, multiplicity = "1")
    TalkOptions talk = new TalkOptions();
  }

  /** The rules for all pods, without the queues, which are read later. */
  PlacementRules rules() {
    return new PlacementRules(
        Optional.empty(),
        decisions.fair,
        decisions.evict,
        Optional.ofNullable(decisions.spreadFrom)
            .map(priority -> new PackingByPriority(priority, HALF_A_CARD)),
        Optional.ofNullable(decisions.overcommit));
  }

  boolean csvToStandardOutput() {
    return output.csv != null && output.csv.isStandardOutput();
  }

  boolean plansMoves() {
    return output.moves != null || output.movesFor != null;
  }

  /** The maximum number of moves to plan. */
  int mostMoves() {
    return output.moves == null ? USUAL_MOVES : output.moves;
  }

  void requireSense() {
    if (!kubernetes.running) {
      kubernetes.kubernetes.requireNoneWithout("--cluster");
    }
    if (kubernetes.areGiven()) {
      requireNoFiles();
      kubernetes.requireSense();
    }
    UsageException.requireWithin("--runs", decisions.runs, 1, MOST_RUNS);
    UsageException.requireWithin("--moves", mostMoves(), 1, MOST_MOVES);
    if (decisions.isExperiment()) {
      requireBareExperiment();
    } else {
      requireOnePolicy();
    }
  }

  private void requireNoFiles() {
    boolean hasFiles = inputs.nodes != null || inputs.pods != null || inputs.queues != null;
    boolean isOther = decisions.isExperiment() || isAboutPods() || decisions.namesPolicy();
    if (hasFiles || isOther || !rules().equals(PlacementRules.NONE)) {
      throw new UsageException(
          "--manifest, --cluster and --snapshot place pods as the scheduler extender does; of the"
              + " options about files and decisions only --json can be combined with them.");
    }
  }

  private void requireBareExperiment() {
    if (decisions.arrivals != null && decisions.lifetimes != null) {
      throw new UsageException("--arrivals and --lifetimes are different experiments; choose one.");
    }
    if (isAboutPods() || inputs.queues != null || !rules().equals(PlacementRules.NONE)) {
      throw new UsageException(
          "--arrivals and --lifetimes can only be combined with --policy, --runs, --seed and"
              + " --json.");
    }
  }

  private void requireOnePolicy() {
    if (decisions.policies.size() > 1 && isAboutPods()) {
      throw new UsageException(
          "--explain, --out and --moves apply to one policy; name one with --policy.");
    }
    if (csvToStandardOutput() && (output.explain != null || plansMoves())) {
      throw new UsageException(
          "--out - writes to standard output, as --explain and --moves do; choose one.");
    }
    if (output.explain != null && plansMoves()) {
      throw new UsageException("--explain and --moves print different results; choose one.");
    }
  }

  private boolean isAboutPods() {
    return output.explain != null || output.csv != null || plansMoves();
  }
}
