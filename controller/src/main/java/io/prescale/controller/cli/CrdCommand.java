package io.prescale.controller.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

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
      "      Installs it, or brings an installed one up to date. Needs Kubernetes 1.29 or later.",
    })
public final class CrdCommand implements Callable<Integer> {
  private static final String RESOURCE = "/crds/predictivehpas.autoscaling.prescale.io.yaml";

  private final Surroundings surroundings;

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
      surroundings.out().print(new String(definition.readAllBytes(), UTF_8));
    }
    return ExitCode.OK;
  }
}
