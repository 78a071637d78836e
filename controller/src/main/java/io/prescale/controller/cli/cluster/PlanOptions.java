package io.prescale.controller.cli.cluster;

import io.prescale.controller.plan.cluster.PlanQuestion;
import io.prescale.controller.plan.live.PlanSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** The options of {@code prescale controller} about the plan of the cluster's cards. */
final class PlanOptions {
  @Option(
      names = "--plan",
      description =
          "The leader forecasts the next day of every service that asks for cards, and writes to"
              + " the CapacityPlan which of them fit; it reads all nodes, pods and Jobs for that.")
  boolean enabled;

  @Option(
      names = "--plan-every",
      paramLabel = "DURATION",
      description = "Time between two plans (default: ${DEFAULT-VALUE}).",
      defaultValue = "10m")
  Duration every = Duration.ofMinutes(10);

  @Option(
      names = "--plan-node-lead",
      paramLabel = "DURATION",
      description =
          "From the order of a node until it takes pods, for when a node has to be ordered"
              + " (default: ${DEFAULT-VALUE}).",
      defaultValue = "10m")
  Duration nodeLead = Duration.ofMinutes(10);

  /** Empty when there is to be no plan. */
  Optional<PlanSettings> settings() {
    var usual = PlanQuestion.usual();
    return enabled
        ? Optional.of(
            new PlanSettings(
                every, new PlanQuestion(usual.level(), usual.factor(), Set.of(), nodeLead)))
        : Optional.empty();
  }
}
