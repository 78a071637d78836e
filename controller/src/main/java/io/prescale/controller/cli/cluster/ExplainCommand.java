package io.prescale.controller.cli.cluster;

import io.prescale.controller.api.v1alpha1.DecisionSummary;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.options.KubernetesOptions;
import io.prescale.controller.cli.options.Moment;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.cluster.ClusterException;
import io.prescale.controller.cluster.KubernetesJson;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prescale explain}: why a workload has the replicas that it has. */
@Command(
    name = "explain",
    header = "Explains one decision from end to end: what was observed, forecast, served and done.",
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  prescale explain team-a/chat",
      "      The newest decision.",
      "  prescale explain team-a/chat --at 10m",
      "      That of ten minutes ago; --at 2026-11-21T09:10:00Z works too.",
    })
public final class ExplainCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Parameters(
      paramLabel = "NAMESPACE/NAME",
      description = "The PredictiveHPA; without a namespace, the kubeconfig's.")
  private String name = "";

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "Which decision: the one in force then. 10m (ago), a time, or Unix seconds.")
  private @Nullable Moment at;

  @Option(names = "--json", description = "Prints JSON.")
  private boolean json;

  @Mixin private final KubernetesOptions kubernetes = new KubernetesOptions();

  /** A command that has not run yet; it may run once. */
  public ExplainCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws ClusterException, IOException, InterruptedException {
    var resource = find();
    var status = resource.getStatus();
    if (status == null || status.conditions().isEmpty()) {
      surroundings.report("The controller has not looked at it yet; is one running?");
      return ExitCode.FAILED;
    }
    if (at == null) {
      print(status, new ExplanationText(resource).newest());
      return ExitCode.OK;
    }
    var moment = at.resolve(surroundings.clock().instant(), ZoneOffset.UTC);
    return explainAt(resource, moment);
  }

  private PredictiveHPA find() throws ClusterException, IOException, InterruptedException {
    var cluster = kubernetes.access();
    int slash = name.indexOf('/');
    var namespace = slash < 0 ? cluster.namespace() : name.substring(0, slash);
    var plain = name.substring(slash + 1);
    if (namespace.isBlank() || plain.isBlank() || plain.contains("/")) {
      throw new UsageException(
          "\"%s\" names no PredictiveHPA; write NAMESPACE/NAME.".formatted(name));
    }
    return cluster
        .find(namespace, plain)
        .orElseThrow(
            () ->
                new UsageException(
                    "There is no PredictiveHPA %s in namespace %s; `kubectl get phpa -A` lists them."
                        .formatted(plain, namespace)));
  }

  private int explainAt(PredictiveHPA resource, Instant moment) {
    Optional<DecisionSummary> decision =
        resource.getStatus().decisions().stream()
            .filter(summary -> !summary.at().isAfter(moment))
            .findFirst();
    if (decision.isEmpty()) {
      surroundings.report(
          "The status remembers no decision as old as %s; the Kubernetes events and the metrics of"
                  .formatted(moment)
              + " Prescale may.");
      return ExitCode.FAILED;
    }
    print(decision.get(), new ExplanationText(resource).past(decision.get()));
    return ExitCode.OK;
  }

  private void print(Object part, List<String> words) {
    if (json) {
      surroundings.out().println(KubernetesJson.of(part));
    } else {
      words.forEach(surroundings.out()::println);
    }
  }
}
