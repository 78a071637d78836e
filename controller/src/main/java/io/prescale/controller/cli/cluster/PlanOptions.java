package io.prescale.controller.cli.cluster;

import io.prescale.controller.cli.options.Needs;
import io.prescale.controller.cli.options.PriceOptions;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.plan.cluster.PlanQuestion;
import io.prescale.controller.plan.live.AheadSettings;
import io.prescale.controller.plan.live.BufferSettings;
import io.prescale.controller.plan.live.PlanSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code prescale controller} about what forecasts of the next day are for. */
final class PlanOptions {
  @Option(
      names = "--plan",
      description =
          "The leader forecasts the next day of every service that asks for cards, and writes to"
              + " the CapacityPlan which of them fit; it reads all nodes, pods and Jobs for that.")
  boolean enabled;

  @Needs("--plan")
  @Option(
      names = "--plan-every",
      paramLabel = "DURATION",
      description = "Time between two plans (default: ${DEFAULT-VALUE}).",
      defaultValue = "10m")
  Duration every = Duration.ofMinutes(10);

  @Needs({"--plan", "--buffers"})
  @Option(
      names = "--plan-node-lead",
      paramLabel = "DURATION",
      description =
          "Time from the order of a node until it takes pods; used until it has been measured"
              + " (default: ${DEFAULT-VALUE}).",
      defaultValue = "10m")
  Duration nodeLead = Duration.ofMinutes(10);

  @Option(
      names = "--bookings",
      description =
          "The leader writes a GpuBooking for every PredictiveHPA with spec.booking.mode Book: the"
              + " replicas that its forecast needs within the next hours.")
  boolean bookings;

  @Needs("--bookings")
  @Option(
      names = "--bookings-every",
      paramLabel = "DURATION",
      description = "Time between two looks at what is to be booked (default: ${DEFAULT-VALUE}).",
      defaultValue = "1m")
  Duration bookingsEvery = Duration.ofMinutes(1);

  @Option(
      names = "--buffers",
      description =
          "The leader writes CapacityBuffers, so that an autoscaler adds nodes for replicas that"
              + " GpuBookings expect and for which cards are missing; needs --bookings.")
  boolean buffers;

  @Needs("--buffers")
  @Option(
      names = "--buffers-cards",
      paramLabel = "N",
      description =
          "Most cards for which nodes are asked at a time, for all bookings together"
              + " (default: ${DEFAULT-VALUE}).")
  int bufferCards = 8;

  @Needs("--buffers")
  @Option(
      names = "--buffers-cost",
      paramLabel = "COST",
      description =
          "Most that these cards may cost in an hour; needs --card-hour-price (default: only"
              + " --buffers-cards limits them).")
  @Nullable Double bufferCost;

  @Option(
      names = "--buffers-balloons",
      paramLabel = "NAMESPACE",
      description =
          "Where the API server has no CapacityBuffers: has pods of a Job in this namespace ask for"
              + " nodes, which ask for what the replicas will and are never bound; needs --buffers"
              + " (default: none ask).")
  @Nullable String balloons;

  /** Refuses what contradicts itself. */
  void requireSense(PriceOptions price) {
    UsageException.requireAtLeast("--plan-every", every, Duration.ofSeconds(1));
    UsageException.requireAtLeast("--bookings-every", bookingsEvery, Duration.ofSeconds(1));
    if (buffers && !bookings) {
      throw new UsageException("--buffers needs --bookings.");
    }
    if (balloons != null && !buffers) {
      throw new UsageException("--buffers-balloons needs --buffers.");
    }
    UsageException.requireAtLeast("--buffers-cards", bufferCards, 0);
    if (bufferCost != null && !(bufferCost >= 0 && Double.isFinite(bufferCost))) {
      throw new UsageException("--buffers-cost must be 0 or more: %s.".formatted(bufferCost));
    }
    if (bufferCost != null && price.perCardHour().isEmpty()) {
      throw new UsageException("--buffers-cost needs --card-hour-price.");
    }
  }

  AheadSettings settings(PriceOptions price) {
    var usual = PlanQuestion.usual();
    return new AheadSettings(
        enabled
            ? Optional.of(
                new PlanSettings(
                    every, new PlanQuestion(usual.level(), usual.factor(), Set.of(), nodeLead)))
            : Optional.empty(),
        bookings ? Optional.of(bookingsEvery) : Optional.empty(),
        buffers
            ? Optional.of(
                new BufferSettings(
                    nodeLead,
                    bufferCards,
                    price.perCardHour(),
                    bufferCost == null ? OptionalDouble.empty() : OptionalDouble.of(bufferCost),
                    Optional.ofNullable(balloons)))
            : Optional.empty());
  }
}
