package io.prescale.controller.cli.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.adapter.MetricReadModel;
import io.prescale.controller.cli.options.ClusterException;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.options.KubernetesOptions;
import io.prescale.controller.cli.options.Secret;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.demand.prometheus.Credentials;
import io.prescale.controller.demand.prometheus.Header;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.TlsOptions;
import io.prescale.controller.demand.source.PrometheusSource;
import io.prescale.controller.demand.source.SourceSettings;
import io.prescale.controller.operator.Controller;
import io.prescale.controller.operator.ControllerSettings;
import io.prescale.controller.operator.Preflight;
import io.prescale.controller.serving.AdapterServer;
import io.prescale.controller.serving.Registration;
import io.prescale.controller.serving.StatusProjection;
import io.prescale.controller.telemetry.ServingState;
import io.prescale.controller.telemetry.ServingState.Holder;
import io.prescale.controller.telemetry.Telemetry;
import io.prescale.controller.web.ReplaysView;
import io.prescale.controller.web.live.ClusterReplays;
import io.prescale.controller.web.live.ClusterWorkloads;
import io.prescale.controller.web.live.HistoryReplays;
import io.prescale.controller.web.live.ReadersOfPredictiveHpas;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code prescale controller}: the control loop and the external metrics API, until stopped. */
@Command(
    name = "controller",
    header = "Runs in a cluster: forecasts for every PredictiveHPA and serves the metrics.",
    description = {
      "",
      "Every replica serves external.metrics.k8s.io from the statuses of the PredictiveHPAs. One of"
          + " them, the holder of the Lease \"prescale\", reads Prometheus, decides and writes"
          + " those statuses and the HPAs. When it dies, another leads within 20 s; what is served"
          + " goes on meanwhile.",
    },
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  prescale controller --prometheus http://prometheus.monitoring:9090",
      "      All namespaces; in a pod, with its service account.",
      "  prescale controller --kubeconfig ~/.kube/config --namespace team-a --no-adapter \\",
      "      --prometheus http://localhost:9090",
      "      From a laptop: statuses of one namespace, and nothing is served.",
    })
public final class ControllerCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ControllerCommand.class);
  private static final Duration LONGEST_JITTER = Duration.ofMillis(200);

  private final Surroundings surroundings;

  @ArgGroup(
      validate = false,
      order = 10,
      heading = "%nPrometheus, unless a PredictiveHPA names one:%n")
  private Source source = new Source();

  @ArgGroup(validate = false, order = 20, heading = "%nThe cluster:%n")
  private Cluster cluster = new Cluster();

  @ArgGroup(validate = false, order = 30, heading = "%nThe external metrics API:%n")
  private AdapterOptions adapter = new AdapterOptions();

  @ArgGroup(validate = false, order = 40, heading = "%nThe web page:%n")
  private PageOptions page = new PageOptions();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      order = 100,
      description = "Show this help.")
  boolean help;

  /** The server that is asked by default. */
  static final class Source {
    @Option(
        names = "--prometheus",
        paramLabel = "URL",
        description = "Prometheus, Thanos, Mimir or VictoriaMetrics; the URL before /api/v1.")
    @Nullable URI url;

    @Option(
        names = "--token-file",
        paramLabel = "FILE",
        description = "File with a bearer token for it, read again when it changes.")
    @Nullable Path tokenFile;

    @Option(names = "--tenant", paramLabel = "ID", description = "Its tenant (X-Scope-OrgID).")
    @Nullable String tenant;

    @Option(
        names = "--ca-file",
        paramLabel = "FILE",
        description = "CA certificates to trust instead of the system's (PEM).")
    @Nullable Path caFile;

    private volatile Optional<PrometheusServer> server = Optional.empty();

    /**
     * With the token of now: files of service accounts are renewed every hour. While it cannot be
     * read, the last one goes on.
     */
    Optional<PrometheusServer> newest() {
      try {
        read();
      } catch (UsageException e) {
        LOG.warn("{}", e.getMessage());
      }
      return server;
    }

    void read() {
      server = written();
    }

    private Optional<PrometheusServer> written() {
      if (url == null) {
        return Optional.empty();
      }
      var at = url;
      var token = new Secret("bearer token", tokenFile, null).read(Map.of());
      return Optional.of(
          UsageException.unlessValid(
              () ->
                  new PrometheusServer(
                      at,
                      token.isPresent()
                          ? new Credentials.Bearer(token.get())
                          : new Credentials.None(),
                      tenant == null ? List.of() : List.of(Header.tenant(tenant)),
                      new TlsOptions(Optional.ofNullable(caFile), false, Optional.empty()))));
    }
  }

  /** Where the work is. */
  static final class Cluster {
    @ArgGroup(validate = false, multiplicity = "1")
    KubernetesOptions access = new KubernetesOptions();

    @Option(
        names = "--namespace",
        paramLabel = "NAME",
        description = "Whose PredictiveHPAs count; may be repeated (default: all namespaces).")
    List<String> namespaces = List.of();

    @Option(
        names = "--lease-namespace",
        paramLabel = "NAME",
        description = "Where the Lease is (default: ${DEFAULT-VALUE}).",
        defaultValue = "prescale")
    String leaseNamespace = "prescale";

    @Option(
        names = "--identity",
        paramLabel = "NAME",
        description = "Name of this replica in the Lease (default: $HOSTNAME and the process id).")
    @Nullable String identity;

    @Option(
        names = "--metrics-port",
        paramLabel = "N",
        description = "Port of Prescale's own /metrics, 0 for none (default: ${DEFAULT-VALUE}).",
        defaultValue = "8080")
    int metricsPort = 8080;

    Set<String> namespaces() {
      return Set.copyOf(namespaces);
    }

    void requireSense() {
      if (metricsPort < 0 || metricsPort > AdapterOptions.HIGHEST_PORT) {
        throw new UsageException(
            "--metrics-port is %d; write a port from 1 to %d, or 0 for none."
                .formatted(metricsPort, AdapterOptions.HIGHEST_PORT));
      }
      namespaces.forEach(name -> AdapterOptions.requireName("--namespace", name));
      AdapterOptions.requireName("--lease-namespace", leaseNamespace);
    }

    ControllerSettings settings(
        Supplier<Optional<PrometheusServer>> server, Surroundings surroundings) {
      return UsageException.unlessValid(
          () ->
              new ControllerSettings(
                  server,
                  namespaces(),
                  leaseNamespace,
                  identity == null ? surroundings.replica() : identity,
                  Path.of(System.getProperty("java.io.tmpdir"))));
    }
  }

  /** A command that has not run yet; it may run once. */
  public ControllerCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws ClusterException, IOException {
    adapter.requireSense();
    cluster.requireSense();
    page.requireSense();
    source.read();
    var settings = cluster.settings(source::newest, surroundings);
    try (var client = cluster.access.client()) {
      var leading = adapter.only ? Optional.<ControllerSettings>empty() : Optional.of(settings);
      var problem = new Preflight(client).problem(cluster.namespaces(), leading);
      if (problem.isPresent()) {
        throw new ClusterException(problem.get());
      }
      run(client, settings);
      return ExitCode.OK;
    } catch (KubernetesClientException e) {
      throw new ClusterException("The API server: " + ApiFailure.text(e), e);
    }
  }

  private void run(KubernetesClient client, ControllerSettings settings)
      throws ClusterException, IOException {
    var clock = surroundings.clock();
    var identity = settings.identity();
    var model = new MetricReadModel();
    var stopping = new AtomicBoolean();
    try (var closing = new Closing()) {
      var workloads = new ClusterWorkloads();
      var projection =
          closing.later(
              StatusProjection.start(
                  client,
                  cluster.namespaces(),
                  model,
                  page.port > 0 ? List.of(workloads) : List.of()));
      var telemetry = new Telemetry(clock);
      adapter
          .start(client, clock, model, projection, stopping::get, identity)
          .map(closing::later)
          .ifPresent(serving -> telemetry.serves(model, state(serving)));
      if (cluster.metricsPort > 0) {
        closing.later(metricsPage(telemetry));
      }
      var replays =
          adapter.only
              ? ReplaysView.none("This replica asks no Prometheus; another one does.")
              : lead(closing, client, settings, telemetry, workloads);
      if (page.port > 0) {
        var readers = new ReadersOfPredictiveHpas(client, cluster.namespaces(), clock);
        var cards = page.cards().map(closing::later);
        closing.later(page.start(clock, readers, workloads, cards, replays));
      }
      closing.later(() -> stopping.set(true)); // the first to be closed
      surroundings.report(
          "Prescale runs as %s until it gets SIGTERM or Ctrl-C.".formatted(identity));
      new CountDownLatch(1).await();
    } catch (InterruptedException _) {
      surroundings.report("Prescale stops.");
    }
  }

  /** Stands for election; gives what can be replayed from the Prometheus that it asks. */
  private ReplaysView lead(
      Closing closing,
      KubernetesClient client,
      ControllerSettings settings,
      Telemetry telemetry,
      ClusterWorkloads workloads)
      throws IOException {
    var clock = surroundings.clock();
    var random = new SplittableRandom(settings.identity().hashCode());
    var metrics = closing.later(new PrometheusSource(sourceSettings(), random));
    var controller =
        closing.later(
            new Controller(client, settings, metrics, telemetry, clock, System::nanoTime));
    controller.start();
    var recorded = new ClusterReplays(workloads, controller.targets());
    return closing.later(new HistoryReplays(recorded, metrics, clock));
  }

  private MetricsPage metricsPage(Telemetry telemetry) throws ClusterException {
    try {
      return MetricsPage.start(adapter.host, cluster.metricsPort, telemetry);
    } catch (IOException e) {
      throw new ClusterException(
          "The metrics page cannot be on %s port %d (%s); choose another with --metrics-port."
              .formatted(adapter.host, cluster.metricsPort, e.getMessage()),
          e);
    }
  }

  private static ServingState state(AdapterServer server) {
    return new ServingState(
        () -> server.registers() ? Optional.of(holder(server.registration())) : Optional.empty(),
        server::certificateEnds);
  }

  private static Holder holder(Registration registration) {
    return switch (registration) {
      case Registration.Ours _ -> Holder.OURS;
      case Registration.HeldBy _ -> Holder.TAKEN;
      case Registration.Unknown _ -> Holder.UNKNOWN;
    };
  }

  /** Objects spread their ticks themselves; see {@link Controller}. */
  private static SourceSettings sourceSettings() {
    var defaults = SourceSettings.defaults();
    return new SourceSettings(
        defaults.requestsPerServer(),
        defaults.patience(),
        defaults.historyPatience(),
        LONGEST_JITTER,
        defaults.firstBackOff(),
        defaults.longestBackOff());
  }
}
