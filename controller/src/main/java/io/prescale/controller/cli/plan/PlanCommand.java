package io.prescale.controller.cli.plan;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.api.v1alpha1.CapacityPlan;
import io.prescale.controller.api.v1alpha1.CapacityPlanStatus;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.options.KubernetesOptions;
import io.prescale.controller.cli.options.Needs;
import io.prescale.controller.cli.options.Percentage;
import io.prescale.controller.cli.options.ServerOptions;
import io.prescale.controller.cli.options.TalkOptions;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.terminal.JsonText;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.cluster.ClusterException;
import io.prescale.controller.cluster.KubernetesJson;
import io.prescale.controller.demand.source.PrometheusSource;
import io.prescale.controller.demand.source.SourceSettings;
import io.prescale.controller.operator.DemandRecords;
import io.prescale.controller.plan.cluster.PlanQuestion;
import io.prescale.controller.plan.cluster.PlannedCluster;
import io.prescale.controller.plan.live.WeeksPlan;
import io.prescale.controller.plan.live.WeeksRound;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code prescale plan}: what services will need within a day or in weeks, and what fits. */
@Command(
    name = "plan",
    header = "Prints which cards services will need within a day, what fits, and what would help.",
    description = {
      "",
      "Reads the CapacityPlan that the controller keeps. With --growth, --without or --level it is"
          + " made anew from the forecasts in it, on the cluster as it is now, which is only read.",
    },
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  prescale plan",
      "      The newest plan.",
      "  prescale plan --growth 30%% --level 95%%",
      "      How many cards would suffice for 30 %% more demand, 95 %% of the time.",
      "  prescale plan --without gpu-07",
      "      What would be missing without this node.",
      "  prescale plan --weeks 4 --growth 10%% --prometheus http://localhost:9090",
      "      How many cards the next four weeks take, with 10 %% more demand.",
    })
public final class PlanCommand implements Callable<Integer> {
  private static final int WHOLE = 100;
  private static final int USUAL_PERCENT = 95;
  private static final long SEED = 1;

  private final Surroundings surroundings;

  @Option(
      names = "--growth",
      paramLabel = "PERCENT",
      description = "By how much every demand is taken to be higher, 1%% to 1000%%; such as 30%%.")
  private @Nullable Percentage growth;

  @Option(
      names = "--without",
      paramLabel = "NODE",
      description = "A node that is taken to be gone, with all that runs on it; may be repeated.")
  private List<String> without = List.of();

  @Option(
      names = "--level",
      paramLabel = "PERCENT",
      description =
          "Probability with which the plan suffices in each step, or in all weeks, from 1%% to 99%%"
              + " (default: that of the CapacityPlan; with --weeks 95%%).")
  private @Nullable Level level;

  @Needs({"--growth", "--without", "--level"})
  @Option(
      names = "--node-lead",
      paramLabel = "DURATION",
      description =
          "From the order of a node until it takes pods, for a plan that is made anew (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "10m")
  private Duration nodeLead = Duration.ofMinutes(10);

  @Option(
      names = "--weeks",
      paramLabel = "N",
      description = "Plans so many weeks from the weeks that have passed, 1 to 12.")
  private @Nullable Integer weeks;

  @Option(names = "--json", description = "Prints the plan as JSON.")
  private boolean json;

  @Mixin private final KubernetesOptions kubernetes = new KubernetesOptions();

  @Mixin private final TalkOptions talk = new TalkOptions();

  @ArgGroup(
      validate = false,
      order = 10,
      heading =
          "%nFor --weeks, the server that has recorded the demand of all services (default: the one"
              + " that each PredictiveHPA names):%n")
  private ServerOptions server = new ServerOptions();

  /** A command that has not run yet; it may run once. */
  public PlanCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws ClusterException, IOException, InterruptedException {
    var now = surroundings.clock().instant();
    if (weeks != null) {
      return overWeeks(weeks, now);
    }
    if (server.given()) {
      throw new UsageException("--prometheus needs --weeks.");
    }
    var status = kubernetes.access().work(client -> newest(client, now));
    if (status.isEmpty()) {
      surroundings.report(
          "There is no plan yet. Set plan.enabled=true in the chart (--plan of prescale"
              + " controller), and wait until the leader has forecast the services that ask for"
              + " cards.");
      return ExitCode.FAILED;
    }
    if (json) {
      surroundings.out().println(KubernetesJson.of(status.get()));
    } else {
      PlanText.lines(status.get(), now).forEach(surroundings.out()::println);
    }
    return ExitCode.OK;
  }

  private Optional<CapacityPlanStatus> newest(KubernetesClient client, Instant now) {
    var plan = client.resources(CapacityPlan.class).withName(CapacityPlan.NAME).get();
    return Optional.ofNullable(plan)
        .map(CapacityPlan::getStatus)
        .filter(it -> it.madeAt() != null && it.from() != null && it.stepSeconds() != null)
        .map(it -> isAsked() ? anew(client, it, now) : it);
  }

  private boolean isAsked() {
    return growth != null || level != null || !without.isEmpty();
  }

  /** Another plan, by the forecasts of this one. */
  private CapacityPlanStatus anew(KubernetesClient client, CapacityPlanStatus status, Instant now) {
    int percent = status.percent() == null ? 90 : status.percent();
    return UsageException.unlessValid(
        () ->
            PlannedCluster.read(client, status.workloads())
                .answered(status, question(percent), now));
  }

  /**
   * What is asked.
   *
   * @param usual percent, if no other is asked for
   */
  private PlanQuestion question(int usual) {
    return new PlanQuestion(
        (level == null ? usual : level.percent()) / (double) WHOLE,
        growth == null ? 1 : 1 + growth.percent() / (double) WHOLE,
        Set.copyOf(without),
        nodeLead);
  }

  private int overWeeks(int number, Instant now)
      throws ClusterException, IOException, InterruptedException {
    UsageException.requireWithin("--weeks", number, 1, WeeksPlan.MOST_WEEKS);
    var plan = kubernetes.access().work(client -> weeks(client, number, now));
    if (plan.rows().isEmpty()) {
      plan.notes().forEach(surroundings::report);
      surroundings.report("There is no service that asks for cards and whose demand is known.");
      return ExitCode.FAILED;
    }
    var text =
        level == null
            ? new WeeksText(plan, List.of(50, 90, 95, 99), USUAL_PERCENT)
            : new WeeksText(plan, List.of(level.percent()), level.percent());
    if (json) {
      JsonText.print(text.json(), surroundings.out());
    } else {
      text.lines().forEach(surroundings.out()::println);
    }
    return ExitCode.OK;
  }

  private WeeksPlan weeks(KubernetesClient client, int number, Instant now)
      throws InterruptedException {
    var named =
        Optional.ofNullable(server.url).map(it -> server.server(it, surroundings.environment()));
    var settings = SourceSettings.defaults().withHistoryPatience(server.patience());
    var random = new SplittableRandom(SEED);
    try (var source = new PrometheusSource(settings, random);
        var progress = surroundings.progress("Reading past weeks", talk.progress())) {
      return WeeksRound.plan(
          client,
          DemandRecords.of(client, named),
          source,
          question(USUAL_PERCENT),
          number,
          now,
          random,
          progress::update);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }
}
