package io.prescale.controller.cli.preset;

import io.prescale.controller.api.v1alpha1.PresetName;
import io.prescale.controller.api.v1alpha1.PresetSignal;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.options.Needs;
import io.prescale.controller.cli.options.ServerOptions;
import io.prescale.controller.cli.options.UnusableTraceException;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.terminal.JsonText;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.demand.preset.CapacityHistory;
import io.prescale.controller.demand.preset.CapacityProposal;
import io.prescale.controller.demand.preset.PresetQuery;
import io.prescale.controller.demand.preset.PresetScope;
import io.prescale.controller.demand.preset.Presets;
import io.prescale.controller.demand.prometheus.PrometheusClient;
import io.prescale.controller.demand.prometheus.PrometheusException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prescale preset}: prints a preset's query, or proposes the capacity of one replica. */
@Command(
    name = "preset",
    header = "Prints a preset's query, what it measures, and its pitfalls.",
    sortOptions = false,
    customSynopsis = {
      "prescale preset [--json]",
      "       prescale preset NAME [--model MODEL] [--namespace NAMESPACE] [OPTION...]",
      "       prescale preset NAME --capacity --prometheus URL [OPTION...]",
    },
    footer = {
      "",
      "Examples:",
      "  prescale preset vllm --model Qwen/Qwen3-32B --namespace inference",
      "      Prints the PromQL expression for the demand of that model.",
      "  prescale preset vllm --namespace inference --capacity \\",
      "      --prometheus http://localhost:9090",
      "      Proposes target.averageValue from what full replicas carried in a week.",
    })
public final class PresetCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "The preset; without a name, all presets are listed.")
  private @Nullable PresetName name;

  @Option(
      names = "--model",
      paramLabel = "MODEL",
      description = "Model to select, as the server's metrics name it (default: all).")
  private @Nullable String model;

  @Option(
      names = "--namespace",
      paramLabel = "NAMESPACE",
      description = "Namespace to select (default: all; in a PredictiveHPA its own).")
  private @Nullable String namespace;

  @Option(
      names = "--signal",
      paramLabel = "SIGNAL",
      description = "requests (the default) or tokens.")
  private @Nullable PresetSignal signal;

  @Option(names = "--json", description = "Prints JSON.")
  private boolean json;

  @ArgGroup(validate = false, order = 10, heading = "%nThe capacity of one replica:%n")
  private CapacityOptions capacity = new CapacityOptions();

  @ArgGroup(validate = false, order = 20, heading = "%nThe Prometheus server with the history:%n")
  private ServerOptions server = new ServerOptions();

  /** Options of the capacity estimate. */
  @Needs("--capacity")
  static final class CapacityOptions {
    @Option(
        names = "--capacity",
        description =
            "Estimates from history what one replica can carry. Prints a proposal and changes"
                + " nothing.")
    boolean wanted;

    @Option(
        names = "--window",
        paramLabel = "DURATION",
        description = "How far to look back (default: ${DEFAULT-VALUE}).",
        defaultValue = "7d")
    Duration window = Duration.ofDays(7);

    @Option(
        names = "--resolution",
        paramLabel = "DURATION",
        description = "Time between two samples (default: ${DEFAULT-VALUE}).",
        defaultValue = "1m")
    Duration resolution = Duration.ofMinutes(1);
  }

  /** Creates the command, which may run once. */
  public PresetCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws PrometheusException, UnusableTraceException, InterruptedException {
    if (name == null) {
      list();
    } else if (capacity.wanted) {
      propose(name);
    } else {
      print(name);
    }
    return ExitCode.OK;
  }

  private void list() {
    if (capacity.wanted || model != null || namespace != null || signal != null) {
      throw new UsageException(
          "--model, --namespace, --signal and --capacity apply to one preset; name it, as in:"
              + " prescale preset vllm.");
    }
    if (json) {
      JsonText.print(PresetJson.list(Presets.all()), surroundings.out());
    } else {
      PresetText.list(Presets.all()).forEach(surroundings.out()::println);
    }
  }

  private void print(PresetName preset) {
    if (server.given()) {
      throw new UsageException(
          "--prometheus is used only with --capacity; add --capacity or remove --prometheus.");
    }
    var query = query(preset);
    var promql = query.demand().promql(scope());
    if (json) {
      JsonText.print(PresetJson.of(Presets.of(preset), query, promql), surroundings.out());
    } else {
      PresetText.describe(Presets.of(preset), query, promql, columns())
          .forEach(surroundings.out()::println);
    }
  }

  private void propose(PresetName preset)
      throws PrometheusException, UnusableTraceException, InterruptedException {
    var query = query(preset);
    var saturation =
        query
            .saturation()
            .orElseThrow(
                () ->
                    new UsageException(
                        "The preset %s has no queue metric that shows when a replica is full; measure the capacity with a load test."
                            .formatted(preset.text())));
    if (server.url == null) {
      throw new UsageException(
          "--capacity needs --prometheus, the URL of the server with the history.");
    }
    CapacityProposal proposal;
    try (var client =
        new PrometheusClient(
            server.server(server.url, surroundings.environment()), server.patience())) {
      var history =
          UsageException.unlessValid(
              "--window, --resolution",
              () -> new CapacityHistory(client, capacity.window, capacity.resolution));
      proposal = history.propose(saturation, scope(), surroundings.clock().instant());
    }
    if (proposal.evidence().mostSeen().isEmpty()) {
      throw new UnusableTraceException(
          "Prometheus has no series of the preset %s for this model and namespace; check the query with: prescale preset %s."
              .formatted(preset.text(), preset.text()));
    }
    if (json) {
      JsonText.print(PresetJson.of(proposal, query), surroundings.out());
    } else {
      PresetText.describe(proposal, query, columns()).forEach(surroundings.out()::println);
    }
  }

  private PresetQuery query(PresetName preset) {
    var wanted = signal == null ? PresetSignal.Requests : signal;
    return Presets.of(preset)
        .query(wanted)
        .orElseThrow(
            () ->
                new UsageException(
                    "The preset %s has no --signal %s; leave it out."
                        .formatted(preset.text(), PresetText.word(wanted))));
  }

  private PresetScope scope() {
    return UsageException.unlessValid(
        () -> new PresetScope(Optional.ofNullable(model), Optional.ofNullable(namespace)));
  }

  private int columns() {
    return Math.clamp(surroundings.outTerminal().columns(), 60, 120);
  }
}
