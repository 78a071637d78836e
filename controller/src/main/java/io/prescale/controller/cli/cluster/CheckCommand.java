package io.prescale.controller.cli.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.options.KubernetesOptions;
import io.prescale.controller.cli.terminal.JsonText;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.cluster.ClusterException;
import io.prescale.controller.operator.InstallationCheck;
import io.prescale.controller.operator.InstallationCheck.Finding;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code prescale check}: whether an installation works. */
@Command(
    name = "check",
    header = "Asks a cluster whether Prescale works in it.",
    sortOptions = false,
    description = {
      "",
      "Looks at the definition of PredictiveHPA, at who leads, at the APIService, and asks for the"
          + " external metrics on the way that the HPA takes. Changes nothing, and needs the rights"
          + " to get all of these. Exit code 0 when all is well, 1 when something is not, and 4,"
          + " with a sentence and no findings, when no API server answers.",
    },
    footer = {
      "",
      "Examples:",
      "  prescale check",
      "      By the current context of the kubeconfig; in a pod, its service account.",
      "  prescale check --service monitoring/prescale --json",
      "      Installed elsewhere; for scripts.",
    })
public final class CheckCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private final KubernetesOptions kubernetes = new KubernetesOptions();

  @Option(
      names = "--service",
      paramLabel = "NAMESPACE/NAME",
      description = "Prescale's Service (default: ${DEFAULT-VALUE}).")
  private String service = "prescale/prescale";

  @Option(
      names = "--lease-namespace",
      paramLabel = "NAME",
      description = "Where the Lease is (default: that of the Service).")
  private String leaseNamespace = "";

  @Option(
      names = "--no-register",
      description = "Another adapter serves the cluster's external metrics, on purpose.")
  private boolean notRegistered;

  @Option(names = "--json", description = "Prints JSON.")
  private boolean json;

  /** A command that has not run yet; it may run once. */
  public CheckCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws ClusterException, IOException, InterruptedException {
    AdapterOptions.requireServiceName(service);
    var lease =
        leaseNamespace.isEmpty() ? service.substring(0, service.indexOf('/')) : leaseNamespace;
    var findings =
        InstallationCheck.run(
            kubernetes.access(), lease, service, surroundings.clock().instant(), !notRegistered);
    boolean well = findings.stream().allMatch(finding -> finding.problem().isEmpty());
    if (json) {
      JsonText.print(json(findings, well), surroundings.out());
    } else {
      findings.forEach(this::report);
    }
    return well ? ExitCode.OK : ExitCode.FAILED;
  }

  private static ObjectNode json(List<Finding> findings, boolean well) {
    var json = JsonNodeFactory.instance.objectNode().put("well", well);
    var all = json.putArray("findings");
    findings.forEach(
        it ->
            all.addObject().put("subject", it.subject()).put("problem", it.problem().orElse(null)));
    return json;
  }

  private void report(Finding finding) {
    surroundings
        .out()
        .println(
            finding
                .problem()
                .map(problem -> "fails  %s: %s".formatted(finding.subject(), problem))
                .orElse("ok     " + finding.subject()));
  }
}
