package io.prescale.controller.cli.cluster;

import io.prescale.controller.cli.options.KubernetesOptions;
import io.prescale.controller.cli.options.Names;
import io.prescale.controller.cli.options.Needs;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.cluster.ClusterException;
import io.prescale.controller.program.ExtenderProgram;
import io.prescale.controller.scheduler.extender.ExtenderSettings;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.placement.cluster.NetworkLevels;
import io.prescale.placement.inventory.NetworkLabels;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code prescale extender}: answers the cluster's kube-scheduler, until stopped. */
@Command(
    name = "extender",
    header = "Runs in a cluster: chooses GPUs for the stock kube-scheduler.",
    description = {
      "",
      "An extender of kube-scheduler (filter, prioritize, preempt, bind). Cards that HAMi registers"
          + " are chosen one by one and named to its device plugins by annotations in the Binding;"
          + " with a plain device plugin only the node is chosen, and the kubelet takes any card.",
      "",
      "kube-scheduler finds it in its KubeSchedulerConfiguration:"
          + " docs/reference/extender.md has one.",
    },
    sortOptions = false,
    footer = {
      "",
      "Each option is also a property, prescale.extender.OPTION, in the files that",
      "MICRONAUT_CONFIG_FILES names, or PRESCALE_EXTENDER_OPTION in the environment.",
      "The command line wins, then the environment.",
      "",
      "Example:",
      "  prescale extender --tls-cert-file tls.crt --tls-key-file tls.key \\",
      "      --client-ca-file ca.crt",
      "      In a pod, by its service account; callers need a certificate of ca.crt.",
    })
public final class ExtenderCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @ArgGroup(validate = false, multiplicity = "0..1", order = 10, heading = "%nThe cluster:%n")
  private KubernetesOptions cluster = new KubernetesOptions();

  @ArgGroup(
      validate = false,
      multiplicity = "0..1",
      order = 15,
      heading =
          "%nPrometheus with the metrics of dcgm-exporter or of the exporters of AMD or Ascend, if"
              + " there is one:%n")
  private ExporterOptions prometheus = new ExporterOptions();

  @ArgGroup(
      validate = false,
      multiplicity = "0..1",
      order = 20,
      heading = "%nWhere it listens, and who may ask:%n")
  private ListenOptions listen = new ListenOptions();

  @ArgGroup(validate = false, multiplicity = "0..1", order = 50, heading = "%nMoving pods:%n")
  private MoveOptions moves = new MoveOptions();

  @ArgGroup(validate = false, multiplicity = "0..1", order = 49, heading = "%nTaking back:%n")
  private ReclaimOptions reclaim = new ReclaimOptions();

  @ArgGroup(validate = false, multiplicity = "0..1", order = 51, heading = "%nImages ahead:%n")
  private WarmOptions warm = new WarmOptions();

  @ArgGroup(
      validate = false,
      multiplicity = "0..1",
      order = 52,
      heading = "%nMore memory than cards have:%n")
  private OvercommitOptions overcommit = new OvercommitOptions();

  @Option(
      names = "--candidates",
      order = 30,
      paramLabel = "N",
      description =
          "How many nodes are offered for a pod, 1 to 10; with several, kube-scheduler's own"
              + " preferences count, but scheduling takes longer (default: ${DEFAULT-VALUE}).")
  private int candidates = 1;

  @Option(
      names = "--patience",
      order = 31,
      paramLabel = "DURATION",
      description =
          "How long a pod waits until a node's device plugin has served the one before; less than"
              + " kube-scheduler's httpTimeout (default: ${DEFAULT-VALUE}).",
      defaultValue = "20s")
  private Duration patience = Duration.ofSeconds(20);

  @Option(
      names = "--longest-hand-over",
      order = 32,
      paramLabel = "DURATION",
      description =
          "After which a device plugin that has not served a pod is passed by. HAMi's plugin may"
              + " mistake a pod that comes later still for the next one (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "5m")
  private Duration longestHandOver = Duration.ofMinutes(5);

  @Option(
      names = "--claims",
      order = 33,
      description =
          "Also pins the claims of pods with the scheduling gate gpu.prescale.io/cards to cards of"
              + " ResourceSlices (Kubernetes 1.36, dynamic resource allocation).")
  private boolean claims;

  @Option(
      names = "--topology-levels",
      order = 34,
      paramLabel = "LABEL,...",
      description =
          "Labels of nodes that are levels of the network, the largest level first, such as%n"
              + "example.com/block,example.com/rack; gangs can be kept within one domain of a"
              + " level (default: those of Kueue's and KAI's Topologies; without any, zones and the"
              + " labels of Topograph, NVIDIA and clouds).")
  private @Nullable String topologyLevels;

  @Option(
      names = "--queues",
      order = 35,
      paramLabel = "SYSTEM",
      description =
          "Whose queues pods are of: those of prescale (GpuQueues), or of kueue, kai or volcano,"
              + " which are read and never written (default: ${DEFAULT-VALUE}).")
  private String queues = "prescale";

  @Option(
      names = "--lease",
      order = 40,
      paramLabel = "NAMESPACE/NAME",
      description =
          "Of several replicas, the holder of this Lease answers; the others are not ready"
              + " (default: there is one replica).")
  private @Nullable String lease;

  @Option(
      names = "--scheduler-lease",
      order = 42,
      paramLabel = "NAMESPACE/NAME",
      description =
          "Where every kube-scheduler has an extender of its own in its pod: the Lease by which the"
              + " kube-schedulers elect a leader. Every extender answers; the one beside the leader"
              + " alone takes back, moves, wakes pods and writes statuses.")
  private @Nullable String schedulerLease;

  @Needs("--lease")
  @Option(
      names = "--identity",
      order = 41,
      paramLabel = "NAME",
      description = "Name of this replica in the Lease (default: $HOSTNAME and the process id).")
  private @Nullable String identity;

  /** A command that has not run yet; it may run once. */
  public ExtenderCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws ClusterException {
    var settings = settings();
    var exporters = prometheus.exporters(surroundings.environment());
    return Programs.run(
        surroundings,
        "Prescale's extender",
        () ->
            ExtenderProgram.run(
                cluster.access(),
                settings,
                exporters,
                surroundings.clock(),
                port ->
                    surroundings.report(
                        "Prescale's extender listens on %s:%d until it gets SIGTERM or Ctrl-C."
                            .formatted(settings.host(), port))));
  }

  private ExtenderSettings settings() {
    listen.requireSense();
    UsageException.requireWithin("--candidates", candidates, 1, ExtenderSettings.MOST_CANDIDATES);
    UsageException.requirePositive("--longest-hand-over", longestHandOver);
    var tls = listen.tls();
    return UsageException.unlessValid(
        () ->
            new ExtenderSettings(
                listen.host,
                listen.port,
                listen.metricsPort(),
                tls,
                listen.namesClients(),
                candidates,
                patience,
                longestHandOver,
                lease(),
                claims,
                levels(),
                queues(),
                moves.settings(),
                reclaim.webhook(),
                warm.settings(),
                overcommit.settings(prometheus.given())));
  }

  private QueueSource queues() {
    return UsageException.unlessValid(
        "--queues", () -> Names.find("system", queues, QueueSource.class));
  }

  private Optional<NetworkLevels> levels() {
    if (topologyLevels == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(NetworkLabels.read(topologyLevels));
    } catch (IllegalArgumentException e) {
      throw new UsageException("--topology-levels: %s.".formatted(e.getMessage()));
    }
  }

  private Optional<ExtenderSettings.Lease> lease() {
    if (lease != null && schedulerLease != null) {
      throw new UsageException(
          "--lease and --scheduler-lease both say which replica acts; choose one.");
    }
    if (lease != null) {
      var words = words("--lease", lease);
      var name = identity == null ? surroundings.replica() : identity;
      return Optional.of(new ExtenderSettings.Lease.Own(words[0], words[1], name));
    }
    if (schedulerLease != null) {
      var words = words("--scheduler-lease", schedulerLease);
      return Optional.of(
          new ExtenderSettings.Lease.OfScheduler(words[0], words[1], surroundings.host()));
    }
    return Optional.empty();
  }

  private static String[] words(String option, String lease) {
    if (!lease.matches("[a-z0-9-]+/[a-z0-9.-]+")) {
      throw new UsageException(
          "%s is \"%s\"; write NAMESPACE/NAME, such as prescale/extender."
              .formatted(option, lease));
    }
    return lease.split("/", 2);
  }
}
