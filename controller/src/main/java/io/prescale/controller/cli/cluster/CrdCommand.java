package io.prescale.controller.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.cluster.KubernetesJson;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code prescale crd}: the custom resource definition, to be applied to a cluster. */
@Command(
    name = "crd",
    header = "Prints the custom resource definition of PredictiveHPA.",
    sortOptions = false,
    footer = {
      "",
      "Example:",
      "  prescale crd | kubectl apply --server-side -f -",
      "      Installs it, or brings an installed one up to date. Needs Kubernetes 1.30 or later.",
    })
public final class CrdCommand implements Callable<Integer> {
  private static final String RESOURCE = "/crds/predictivehpas.autoscaling.prescale.io.yaml";

  private final Surroundings surroundings;

  @Option(names = "--json", description = "Prints JSON instead of YAML.")
  private boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  /** A command that has not run yet. */
  public CrdCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    try (var definition = CrdCommand.class.getResourceAsStream(RESOURCE)) {
      if (definition == null) {
        throw new IllegalStateException(RESOURCE + " is not in the program");
      }
      var yaml = new String(definition.readAllBytes(), UTF_8);
      surroundings.out().print(json ? KubernetesJson.ofDefinition(yaml) + "\n" : yaml);
    }
    return ExitCode.OK;
  }
}
