package io.prescale.controller.cli.cluster;

import io.prescale.controller.plan.cluster.PlanQuestion;
import io.prescale.controller.plan.live.AheadSettings;
import io.prescale.controller.plan.live.PlanSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** The options of {@code prescale controller} about what forecasts of the next day are for. */
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

  @Option(
      names = "--bookings",
      description =
          "The leader writes a GpuBooking for every PredictiveHPA with spec.booking.mode Book: the"
              + " replicas that its forecast needs within the next hours.")
  boolean bookings;

  @Option(
      names = "--bookings-every",
      paramLabel = "DURATION",
      description = "Time between two looks at what is to be booked (default: ${DEFAULT-VALUE}).",
      defaultValue = "1m")
  Duration bookingsEvery = Duration.ofMinutes(1);

  AheadSettings settings() {
    var usual = PlanQuestion.usual();
    return new AheadSettings(
        enabled
            ? Optional.of(
                new PlanSettings(
                    every, new PlanQuestion(usual.level(), usual.factor(), Set.of(), nodeLead)))
            : Optional.empty(),
        bookings ? Optional.of(bookingsEvery) : Optional.empty());
  }
}
