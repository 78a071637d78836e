package io.prescale.controller.cli.cluster;

import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.demand.prometheus.AllowedServers;
import io.prescale.controller.operator.NamespaceLimit;
import io.prescale.controller.operator.TenantLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** What an administrator allows those who write PredictiveHPAs. */
final class LimitOptions {
  @Option(
      names = "--allow-prometheus",
      paramLabel = "HOST",
      description =
          "Prometheus servers that spec.prometheus may name: HOST, HOST:PORT, *.SUFFIX, or * for"
              + " all; may be repeated (default: the host and port of --prometheus alone)."
              + " Addresses of loopback, of the link and of the API server must be written as"
              + " such.")
  List<String> servers = List.of();

  @Option(
      names = "--shortest-step",
      paramLabel = "DURATION",
      description =
          "Shortest spec.forecast.step, the time between two decisions, with up to eight metrics"
              + " and leading series; as much again for each further eight begun (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "10s")
  Duration shortestStep = TenantLimits.defaults().shortestStep();

  @Option(
      names = "--enforce-namespace",
      description =
          "A query finds only series of its PredictiveHPA's namespace: --prometheus names a"
              + " prom-label-proxy with the options --label=namespace --error-on-replace"
              + " --header-name=X-Prescale-Namespace. Then%nspec.prometheus may name only servers"
              + " of --allow-prometheus, where nothing is enforced.")
  boolean enforceNamespace;

  @Option(
      names = "--objects-per-namespace",
      paramLabel = "N",
      description =
          "How many PredictiveHPAs of a namespace are worked on; the oldest are (default:"
              + " ${DEFAULT-VALUE}).")
  int objectsPerNamespace = TenantLimits.defaults().objectsPerNamespace().most();

  TenantLimits limits(Map<String, String> environment) {
    UsageException.requirePositive("--shortest-step", shortestStep);
    UsageException.requireAtLeast("--objects-per-namespace", objectsPerNamespace, 1);
    return UsageException.unlessValid(
        () -> {
          var allowed = AllowedServers.of(servers);
          var apiServer = environment.get("KUBERNETES_SERVICE_HOST");
          return new TenantLimits(
              apiServer == null ? allowed : allowed.andApiServer(apiServer),
              shortestStep,
              enforceNamespace,
              new NamespaceLimit(objectsPerNamespace));
        });
  }
}
