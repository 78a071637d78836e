package io.prescale.controller.cli.cluster;

import io.prescale.controller.cli.options.Needs;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.scheduler.extender.MemoryOvercommit;
import io.prescale.placement.overcommit.BoundedRisk;
import io.prescale.placement.overcommit.ConstantFactor;
import io.prescale.placement.overcommit.OvercommitRule;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether and how far cards promise more memory than they have. */
final class OvercommitOptions {
  @Option(
      names = "--overcommit",
      paramLabel = "RULE",
      description =
          "Promises more memory of shared cards than they have: risk=0.1%% as long as the"
              + " probability of running out, bounded by the mean and deviation of what running"
              + " pods were seen to use, stays below that; independent-risk=0.1%% also assumes that"
              + " pods do not peak together. Needs Prometheus with HAMi's monitor"
              + " (default: HAMi's own factor, which is part of what it registers).")
  @Nullable OvercommitRule rule;

  @Needs("--overcommit")
  @Option(
      names = "--overcommit-window",
      paramLabel = "DURATION",
      description =
          "How long a pod must have been observed before its use counts; until then it counts with"
              + " all that it asks for (default: ${DEFAULT-VALUE}).",
      defaultValue = "1d")
  Duration window = Duration.ofDays(1);

  Optional<MemoryOvercommit> settings(boolean hasPrometheus) {
    return switch (rule) {
      case null -> Optional.empty();
      case ConstantFactor _ ->
          throw new UsageException(
              "--overcommit: a factor is HAMi's deviceMemoryScaling, and part of what it registers;"
                  + " give risk=0.1% or independent-risk=0.1%.");
      case BoundedRisk _ when !hasPrometheus ->
          throw new UsageException(
              "--overcommit needs --prometheus, which knows how much memory pods use.");
      case BoundedRisk risk -> Optional.of(new MemoryOvercommit(risk, window));
    };
  }
}
