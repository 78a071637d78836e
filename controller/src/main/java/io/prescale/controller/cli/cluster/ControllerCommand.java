package io.prescale.controller.cli.cluster;

import io.prescale.adapter.server.Listener;
import io.prescale.controller.cli.options.KubernetesOptions;
import io.prescale.controller.cli.options.Needs;
import io.prescale.controller.cli.options.OAuth2Options;
import io.prescale.controller.cli.options.Secret;
import io.prescale.controller.cli.options.UnreachableException;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.cluster.ClusterException;
import io.prescale.controller.demand.prometheus.Credentials;
import io.prescale.controller.demand.prometheus.Header;
import io.prescale.controller.demand.prometheus.PemSource;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.TlsOptions;
import io.prescale.controller.operator.ControllerSettings;
import io.prescale.controller.operator.TenantLimits;
import io.prescale.controller.program.ControllerProgram;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
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
      "Every replica serves external.metrics.k8s.io from what one of them publishes. That one, the"
          + " holder of the Lease \"prescale\", reads Prometheus, decides, and writes the values,"
          + " the statuses of the PredictiveHPAs and the HPAs. When it dies, another leads within"
          + " 20 s; what is served goes on meanwhile. With --sharded, each replica does this for"
          + " its part of the PredictiveHPAs, and the others take over the part of one that dies.",
    },
    sortOptions = false,
    footer = {
      "",
      "Each option is also a property, prescale.controller.OPTION, in the files that",
      "MICRONAUT_CONFIG_FILES names, or PRESCALE_CONTROLLER_OPTION in the environment.",
      "The command line wins, then the environment.",
      "",
      "Examples:",
      "  prescale controller --prometheus http://prometheus.monitoring:9090",
      "      All namespaces; in a pod, with its service account.",
      "  prescale controller --kubeconfig ~/.kube/config --namespace team-a \\",
      "      --no-adapter --prometheus http://localhost:9090",
      "      From a laptop: statuses of one namespace, and nothing is served.",
    })
public final class ControllerCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ControllerCommand.class);

  private final Surroundings surroundings;

  @ArgGroup(
      validate = false,
      order = 10,
      heading = "%nPrometheus, unless a PredictiveHPA names one:%n")
  private Source source = new Source();

  @ArgGroup(validate = false, order = 15, heading = "%nWhat a PredictiveHPA may ask for:%n")
  private LimitOptions limits = new LimitOptions();

  @ArgGroup(validate = false, order = 20, heading = "%nThe cluster:%n")
  private Cluster cluster = new Cluster();

  @ArgGroup(validate = false, order = 30, heading = "%nThe external metrics API:%n")
  private AdapterOptions adapter = new AdapterOptions();

  @ArgGroup(validate = false, order = 35, heading = "%nKEDA:%n")
  private KedaOptions keda = new KedaOptions();

  @ArgGroup(
      validate = false,
      order = 37,
      heading = "%nThe next day: the plan of the cluster's cards, and bookings:%n")
  private PlanOptions plan = new PlanOptions();

  @ArgGroup(validate = false, order = 40, heading = "%nThe web page:%n")
  private PageOptions page = new PageOptions();

  /** The server that is asked by default. */
  @Needs("--prometheus")
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

    @ArgGroup(validate = false, multiplicity = "1")
    OAuth2Options oauth2 = new OAuth2Options();

    @Option(names = "--tenant", paramLabel = "ID", description = "Its tenant (X-Scope-OrgID).")
    @Nullable String tenant;

    @Option(
        names = "--ca-file",
        paramLabel = "FILE",
        description = "CA certificates to trust instead of the system's (PEM).")
    @Nullable Path caFile;

    private volatile Optional<PrometheusServer> server = Optional.empty();

    /**
     * With the current token: files of service accounts are renewed every hour. While it cannot be
     * read, the last one goes on.
     */
    Optional<PrometheusServer> newest() {
      try {
        read();
      } catch (UsageException | UnreachableException e) {
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
      var client = oauth2.client();
      if (token.isPresent() && client.isPresent()) {
        throw new UsageException(
            "--token-file and --oauth2-token-url cannot be combined; choose one.");
      }
      var credentials =
          UsageException.unlessValid(
              () ->
                  client
                      .<Credentials>map(it -> it)
                      .or(() -> token.map(Credentials.Bearer::new))
                      .orElseGet(Credentials.None::new));
      return Optional.of(
          UsageException.unlessValid(
              "--prometheus",
              () ->
                  new PrometheusServer(
                      at,
                      credentials,
                      tenant == null ? List.of() : List.of(Header.tenant(tenant)),
                      new TlsOptions(
                          Optional.ofNullable(caFile).map(PemSource.InFile::new),
                          false,
                          Optional.empty()))));
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
        description =
            "Where the Lease and the ConfigMaps of served values are (default: ${DEFAULT-VALUE}).")
    String leaseNamespace = "prescale";

    @Option(
        names = "--identity",
        paramLabel = "NAME",
        description = "Name of this replica in the Lease (default: $HOSTNAME and the process id).")
    @Nullable String identity;

    @Option(
        names = "--sharded",
        description =
            "The replicas share the work, instead of one doing all; all replicas must have the same"
                + " setting.")
    boolean sharded;

    @Option(
        names = "--metrics-port",
        paramLabel = "N",
        description = "Port of Prescale's own /metrics, 0 for none (default: ${DEFAULT-VALUE}).")
    int metricsPort = 8080;

    Set<String> namespaces() {
      return Set.copyOf(namespaces);
    }

    void requireSense() {
      UsageException.requireWithin("--metrics-port", metricsPort, 0, Listener.HIGHEST_PORT);
      namespaces.forEach(name -> AdapterOptions.requireName("--namespace", name));
      AdapterOptions.requireName("--lease-namespace", leaseNamespace);
    }

    ControllerSettings settings(
        Supplier<Optional<PrometheusServer>> server,
        TenantLimits limits,
        Surroundings surroundings) {
      return UsageException.unlessValid(
          () ->
              new ControllerSettings(
                  server,
                  namespaces(),
                  leaseNamespace,
                  identity == null ? surroundings.replica() : identity,
                  sharded,
                  limits));
    }
  }

  /** A command that has not run yet; it may run once. */
  public ControllerCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws ClusterException {
    adapter.requireSense();
    cluster.requireSense();
    keda.requireSense(!adapter.none);
    page.requireSense();
    plan.requireSense(page.price);
    if (limits.enforceNamespace && source.url == null) {
      throw new UsageException(
          "--enforce-namespace needs --prometheus, the URL of the prom-label-proxy; add it.");
    }
    source.read();
    var settings = settings();
    var running =
        "Prescale runs as %s until it gets SIGTERM or Ctrl-C."
            .formatted(settings.controller().identity());
    return Programs.run(
        surroundings,
        "Prescale",
        () ->
            ControllerProgram.run(
                cluster.access.access(),
                settings,
                surroundings.clock(),
                () -> surroundings.report(running)));
  }

  private ControllerProgram.Settings settings() {
    var controller =
        cluster.settings(source::newest, limits.limits(surroundings.environment()), surroundings);
    return UsageException.unlessValid(
        () ->
            new ControllerProgram.Settings(
                controller,
                !adapter.only,
                adapter.settings(controller.identity()),
                keda.settings(adapter.host),
                adapter.host,
                cluster.metricsPort,
                page.port,
                Optional.ofNullable(page.gpuUrl),
                page.price.perCardHour(),
                plan.settings(page.price)));
  }
}
