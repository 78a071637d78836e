package io.prescale.controller.cli.replay;

import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.cli.options.Capacity;
import io.prescale.controller.cli.options.ScheduleText;
import io.prescale.controller.cli.options.Share;
import io.prescale.controller.cli.options.TraceOptions;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.terminal.Numbers;
import io.prescale.controller.input.DemoTrace;
import io.prescale.controller.schedules.Schedules;
import io.prescale.controller.simulation.replay.ColdStart;
import io.prescale.controller.simulation.replay.ReplaySettings;
import io.prescale.forecasting.DurationInWords;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The properties of the service and its HPA, and the policies to compare. */
final class ScalingOptions {
  private static final Duration USUAL_SKIP = Duration.ofDays(8);
  private static final Duration LONG_ENOUGH_FOR_IT = Duration.ofDays(12);
  private static final Duration LONGEST_COLD_START = Duration.ofDays(1);

  /** Kubernetes supports at most 150,000 pods in a cluster. */
  private static final int MOST_REPLICAS = 150_000;

  /** A highest load below this share of a replica's capacity is likely in another unit. */
  private static final double LEAST_SHARE = 0.1;

  /** Of one replica, which may be a group of many nodes. */
  private static final int MOST_GPUS = 10_000;

  @Option(
      names = "--capacity",
      paramLabel = "DEMAND",
      description =
          "Demand that one ready replica can carry, in the unit of the load: 50, or p99.9/24 (24"
              + " replicas carry 99.9 %% of it). Required, except with --demo.")
  @Nullable Capacity capacity;

  @Option(
      names = "--cold-start",
      paramLabel = "DURATION",
      description =
          "Time from the creation of a replica until it serves: 5m, a range 2m..8m, or"
              + " p50=4m,p90=9m (default: ${DEFAULT-VALUE}).",
      defaultValue = "5m")
  ColdStart coldStart = new ColdStart.Constant(Duration.ofMinutes(5));

  @Option(
      names = "--target",
      paramLabel = "SHARE",
      description =
          "Share of a replica's capacity that the other policies aim at, as Prescale does while its"
              + " forecasts are not followed (default: ${DEFAULT-VALUE}).",
      defaultValue = "80%")
  Share target = new Share(0.8);

  @Option(
      names = "--min",
      paramLabel = "N",
      description =
          "Minimum number of replicas; 0 lets the HPA scale to zero (default: ${DEFAULT-VALUE}).")
  int min = 1;

  @Option(
      names = "--gpus-per-replica",
      paramLabel = "N",
      description =
          "With --min 0: GPUs that a replica holds, to say what is saved in GPU-hours too; 0.5 for"
              + " half of a shared one.")
  @Nullable Double gpusPerReplica;

  @Option(
      names = "--max",
      paramLabel = "N",
      description = "Maximum number of replicas (default: no limit).")
  @Nullable Integer max;

  @Option(
      names = "--schedule",
      paramLabel = "SCHEDULE",
      description =
          "Floor or ceiling of Prescale's replicas by the clock: 'start=0 8 * * 1-5; end=0 20 * *"
              + " 1-5; min=10', also with max=N, zone=ZONE (default: --zone), name=NAME. The other"
              + " policies have none. May be repeated.")
  List<ScheduleText> schedules = List.of();

  @Option(
      names = "--tolerance",
      paramLabel = "SHARE",
      description =
          "Deviation from the target that the HPA ignores (default: ${DEFAULT-VALUE}; Kubernetes"
              + " 1.35 and later allow 0).",
      defaultValue = "0.1")
  Share tolerance = new Share(0.1);

  @Option(
      names = "--skip",
      paramLabel = "DURATION",
      description =
          "Initial part of the load that is learned from but not scored (default: 8d, or half of a"
              + " load shorter than 12d).")
  @Nullable Duration skip;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the random numbers (default: ${DEFAULT-VALUE}).")
  long seed = 42;

  @Option(
      names = "--policies",
      paramLabel = "NAME",
      split = ",",
      description =
          "Policies to compare (default: all): reactive, mimir, crane, holt-winters, prescale.")
  List<PolicyChoice> policies = List.of(PolicyChoice.values());

  /** The policies to compare, in the order of the table. */
  List<PolicyChoice> policies() {
    if (Set.copyOf(policies).size() < policies.size()) {
      throw new UsageException("--policies names a policy twice; name each once.");
    }
    return policies;
  }

  /** The schedules, in the zone where they name none. */
  Schedules schedules(ZoneId zone) {
    return UsageException.unlessValid(
        "--schedule",
        () -> new Schedules(schedules.stream().map(it -> it.schedule(zone)).toList()));
  }

  /** GPUs that a replica holds; empty if they are of no interest. */
  OptionalDouble gpusPerReplica() {
    if (gpusPerReplica == null) {
      return OptionalDouble.empty();
    }
    if (min > 0) {
      throw new UsageException("--gpus-per-replica is about a minimum of 0; add --min 0.");
    }
    if (!(gpusPerReplica > 0 && gpusPerReplica <= MOST_GPUS)) {
      throw new UsageException(
          "--gpus-per-replica must be above 0 and at most %,d.".formatted(MOST_GPUS));
    }
    return OptionalDouble.of(gpusPerReplica);
  }

  double target() {
    if (target.value() == 0) {
      throw new UsageException("--target must be above 0%.");
    }
    return target.value();
  }

  /** What the capacity is, and three ways to find it. */
  static final String WHAT_CAPACITY_IS =
      """
      the demand that one ready replica can carry, in the unit of the load.
      To measure it on a model server: prescale preset vllm --capacity --prometheus URL proposes it from the server's history; prescale preset lists the servers.
      If you know that a replica serves 50 requests per second fast enough, and the load is in these: --capacity 50.
      For a first try without a measurement: --capacity p99.9/24 assumes that 24 replicas carry all but the highest 0.1 % of the load.\
      """;

  /** Checks before the load is read that a capacity is given. */
  void requireCapacity(TraceOptions trace) {
    if (capacity == null && !trace.demo()) {
      var load = trace.missing().map(it -> it + "\n").orElse("");
      throw new UsageException(load + "--capacity is missing: " + WHAT_CAPACITY_IS);
    }
  }

  /** Checks what no load is needed for. */
  void requireSense(ZoneId zone) {
    rules();
    target();
    gpusPerReplica();
    schedules(zone);
    if (!schedules.isEmpty() && !policies().contains(PolicyChoice.PRESCALE)) {
      throw new UsageException("--schedule is Prescale's; add prescale to --policies.");
    }
    if (coldStart.planned().compareTo(LONGEST_COLD_START) > 0) {
      throw new UsageException(
          "--cold-start is %s; it must be at most %s."
              .formatted(
                  DurationInWords.of(coldStart.planned()), DurationInWords.of(LONGEST_COLD_START)));
    }
  }

  ReplaySettings settings(TimeSeries trace) {
    double perReplica =
        capacity == null ? DemoTrace.CAPACITY_PER_REPLICA : capacity.perReplica(trace).orElse(0);
    if (!(perReplica > 0)) {
      throw new UsageException(
          "The percentile of this load is %s, and --capacity must be above 0; give a number in the unit of the load."
              .formatted(Numbers.brief(perReplica)));
    }
    requireSensible(perReplica, trace);
    return UsageException.unlessValid(
        () -> {
          var usual = ReplaySettings.forCapacity(perReplica);
          return new ReplaySettings(
              perReplica, rules(), coldStart, usual.window(), skip(trace), seed);
        });
  }

  /** What to say where no policy has anything to decide, since a replica carries far too much. */
  Optional<String> doubtfulCapacity(double perReplica, TimeSeries trace) {
    double share = highest(trace) / perReplica;
    return share > 0 && share < LEAST_SHARE
        ? Optional.of(
            "The highest load is %s %% of what one replica carries, %s: is --capacity in the unit of the load?"
                .formatted(Numbers.brief(100 * share), Numbers.brief(perReplica)))
        : Optional.empty();
  }

  private static double highest(TimeSeries trace) {
    return Arrays.stream(trace.toArray()).filter(v -> !Double.isNaN(v)).max().orElse(0);
  }

  private static void requireSensible(double perReplica, TimeSeries trace) {
    double highest = highest(trace);
    if (highest / perReplica > MOST_REPLICAS) {
      throw new UsageException(
          "With a capacity of %s, the highest load would need %s replicas (%s); a cluster has at most %s pods. Give --capacity in the unit of the load."
              .formatted(
                  Numbers.brief(perReplica),
                  Numbers.brief(Math.ceil(highest / perReplica)),
                  Numbers.brief(highest),
                  Numbers.brief(MOST_REPLICAS)));
    }
  }

  private HpaRules rules() {
    UsageException.requireAtLeast("--min", min, 0);
    UsageException.requireAtLeast("--max", max == null ? 1 : max, 1);
    if (max != null && max < min) {
      throw new UsageException(
          "--max, %d, is below --min, %d; raise it or lower --min.".formatted(max, min));
    }
    if (tolerance.value() == 1) {
      throw new UsageException("--tolerance must be below 100%.");
    }
    var rules = HpaRules.defaults();
    return rules
        .withTolerance(tolerance.value())
        .withReplicas(min, max == null ? rules.maxReplicas() : max);
  }

  private Duration skip(TimeSeries trace) {
    var length = Duration.between(trace.start(), trace.end());
    if (skip == null) {
      return length.compareTo(LONG_ENOUGH_FOR_IT) >= 0
          ? USUAL_SKIP
          : length.dividedBy(2).truncatedTo(ChronoUnit.MINUTES);
    }
    if (skip.compareTo(length) >= 0) {
      throw new UsageException(
          "--skip is %s, and the load covers only %s; skip less."
              .formatted(DurationInWords.of(skip), DurationInWords.of(length)));
    }
    return skip;
  }
}
