package io.prescale.controller.cli.plan;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.api.v1alpha1.CapacityPlan;
import io.prescale.controller.api.v1alpha1.CapacityPlanStatus;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.options.KubernetesOptions;
import io.prescale.controller.cli.options.Percentage;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.cluster.ClusterException;
import io.prescale.controller.cluster.KubernetesJson;
import io.prescale.controller.plan.cluster.PlanQuestion;
import io.prescale.controller.plan.cluster.PlannedCluster;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code prescale plan}: what services will need within a day, what fits, and what would help. */
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
    })
public final class PlanCommand implements Callable<Integer> {
  private static final int WHOLE = 100;

  private final Surroundings surroundings;

  @Option(
      names = "--growth",
      paramLabel = "PERCENT",
      description = "By how much every demand is taken to be higher, such as 30%%.")
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
          "Probability with which the plan suffices in each step, from 1%% to 99%% (default: that"
              + " of the CapacityPlan).")
  private @Nullable Percentage level;

  @Option(
      names = "--node-lead",
      paramLabel = "DURATION",
      description =
          "From the order of a node until it takes pods, for a plan that is made anew (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "10m")
  private Duration nodeLead = Duration.ofMinutes(10);

  @Option(names = "--json", description = "Prints the plan's status as JSON.")
  private boolean json;

  @Mixin private final KubernetesOptions kubernetes = new KubernetesOptions();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  /** A command that has not run yet; it may run once. */
  public PlanCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws ClusterException, IOException, InterruptedException {
    if (level != null && level.percent() >= WHOLE) {
      throw new UsageException("--level is from 1% to 99%; no plan suffices for certain.");
    }
    var now = surroundings.clock().instant();
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
    double factor = growth == null ? 1 : 1 + growth.percent() / (double) WHOLE;
    return UsageException.unlessValid(
        () -> {
          var question =
              new PlanQuestion(
                  (level == null ? percent : level.percent()) / (double) WHOLE,
                  factor,
                  Set.copyOf(without),
                  nodeLead);
          return PlannedCluster.read(client, status.workloads()).answered(status, question, now);
        });
  }
}
