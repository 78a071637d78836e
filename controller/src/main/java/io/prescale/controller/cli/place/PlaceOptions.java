package io.prescale.controller.cli.place;

import io.prescale.controller.cli.options.Percentage;
import io.prescale.controller.cli.options.TalkOptions;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.terminal.OutputFiles;
import io.prescale.controller.place.PlacementRules;
import io.prescale.placement.overcommit.OvercommitRule;
import io.prescale.placement.preference.PackingByPriority;
import java.nio.file.Path;
import java.util.List;
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

  @ArgGroup(validate = false, order = 20, heading = "%nThe decisions:%n")
  Decisions decisions = new Decisions();

  @ArgGroup(validate = false, order = 30, heading = "%nOutput:%n")
  Output output = new Output();

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

    @Option(
        names = "--fair",
        description =
            "Queues take turns: the one that has the least part of what it is owed comes next."
                + " Otherwise pods come in the order of the file.")
    boolean fair;

    @Option(
        names = "--evict",
        description =
            "A pod that fits nowhere may have preemptible pods evicted, as few as possible: of"
                + " lower priority, or with --queues of queues that use more than they are owed.")
    boolean evict;

    @Option(
        names = "--overcommit",
        paramLabel = "RULE",
        description =
            "How much more memory a shared card may promise than it has: factor=1.5 whatever is"
                + " used, or risk=0.1%% as long as the chance that it does not suffice stays below"
                + " that, by what running pods were observed to use; independent-risk=0.1%% if"
                + " they do not peak together.")
    @Nullable OvercommitRule overcommit;

    @Option(
        names = "--spread-from",
        paramLabel = "PRIORITY",
        description =
            "Pods of this priority or above are spread over nodes, shares of up to half a card"
                + " packed on cards, gangs packed on nodes and spread over cards, unless the pod"
                + " says otherwise.")
    @Nullable Integer spreadFrom;

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

    @Option(
        names = "--moves",
        paramLabel = "N",
        description =
            "Plans at most N moves of preemptible running pods for the end: off unhealthy cards,"
                + " then against fragmentation.")
    @Nullable Integer moves;

    @Option(
        names = "--moves-for",
        paramLabel = "POD",
        description = "Plans the fewest moves that make room for this refused pod instead.")
    @Nullable String movesFor;

    @Option(names = "--json", description = "Prints JSON instead of text.")
    boolean json;

    @ArgGroup(validate = false, multiplicity = "1")
    TalkOptions talk = new TalkOptions();
  }

  /** What holds for all pods; the queues are not read yet. */
  PlacementRules rules() {
    var rules = PlacementRules.NONE;
    if (decisions.fair) {
      rules = rules.withFairOrder();
    }
    if (decisions.evict) {
      rules = rules.withEvictions();
    }
    if (decisions.spreadFrom != null) {
      rules = rules.withPacking(new PackingByPriority(decisions.spreadFrom, HALF_A_CARD));
    }
    return decisions.overcommit == null ? rules : rules.withOvercommit(decisions.overcommit);
  }

  boolean plansMoves() {
    return output.moves != null || output.movesFor != null;
  }

  /** How many moves may be planned. */
  int mostMoves() {
    return output.moves == null ? USUAL_MOVES : output.moves;
  }

  void requireSense() throws OutputFiles.NotWritable {
    if (decisions.runs < 1 || decisions.runs > MOST_RUNS) {
      throw new UsageException("--runs is %d; give 1 to %d.".formatted(decisions.runs, MOST_RUNS));
    }
    if (mostMoves() < 1 || mostMoves() > MOST_MOVES) {
      throw new UsageException("--moves is %d; give 1 to %d.".formatted(mostMoves(), MOST_MOVES));
    }
    if (decisions.fair && inputs.queues == null) {
      throw new UsageException("--fair lets queues take turns; add --queues FILE.");
    }
    if (decisions.isExperiment()) {
      requireBareExperiment();
    } else {
      requireOnePolicy();
    }
    if (output.csv != null) {
      OutputFiles.requireWritable(output.csv);
    }
  }

  private void requireBareExperiment() {
    if (decisions.arrivals != null && decisions.lifetimes != null) {
      throw new UsageException("--arrivals and --lifetimes are two experiments; choose one.");
    }
    if (isAboutPods() || inputs.queues != null || !rules().equals(PlacementRules.NONE)) {
      throw new UsageException(
          "--arrivals and --lifetimes compare policies; they go with --policy, --runs, --seed and"
              + " --json only.");
    }
  }

  private void requireOnePolicy() {
    if (decisions.runs > 1) {
      throw new UsageException("--runs repeats an experiment; add --arrivals 130%.");
    }
    if (decisions.policies.size() > 1 && isAboutPods()) {
      throw new UsageException("--explain, --out and --moves are about one --policy; name one.");
    }
    if (output.explain != null && plansMoves()) {
      throw new UsageException("--explain and --moves are two answers; ask for one.");
    }
  }

  private boolean isAboutPods() {
    return output.explain != null || output.csv != null || plansMoves();
  }
}
