package io.prescale.controller.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.cluster.KubernetesJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code prescale crd}: the custom resource definitions, to be applied to a cluster. */
@Command(
    name = "crd",
    header =
        "Prints the custom resource definitions of PredictiveHPA, GpuQueue, GpuBooking and"
            + " CapacityPlan.",
    sortOptions = false,
    footer = {
      "",
      "Example:",
      "  prescale crd | kubectl apply --server-side -f -",
      "      Installs them, or brings installed ones up to date. Needs Kubernetes 1.30",
      "      or later.",
    })
public final class CrdCommand implements Callable<Integer> {
  private static final List<String> RESOURCES =
      List.of(
          "/crds/predictivehpas.autoscaling.prescale.io.yaml",
          "/crds/gpuqueues.placement.prescale.io.yaml",
          "/crds/gpubookings.placement.prescale.io.yaml",
          "/crds/capacityplans.placement.prescale.io.yaml");

  private final Surroundings surroundings;

  @Option(names = "--json", description = "Prints a List in JSON instead of YAML.")
  private boolean json;

  /** A command that has not run yet. */
  public CrdCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    var definitions = new ArrayList<String>();
    for (var resource : RESOURCES) {
      definitions.add(read(resource));
    }
    surroundings
        .out()
        .print(
            json
                ? KubernetesJson.ofDefinitions(definitions) + "\n"
                : String.join("---\n", definitions));
    return ExitCode.OK;
  }

  private static String read(String resource) throws IOException {
    try (var definition = CrdCommand.class.getResourceAsStream(resource)) {
      if (definition == null) {
        throw new IllegalStateException(resource + " is not in the program");
      }
      return new String(definition.readAllBytes(), UTF_8);
    }
  }
}
