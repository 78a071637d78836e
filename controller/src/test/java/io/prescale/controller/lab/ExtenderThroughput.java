package io.prescale.controller.lab;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Pods a second through the real kube-scheduler: without an extender, where it looks at some nodes
 * and where it looks at all, with an extender that does nothing, with ours that offers ten nodes or
 * one, and with ours and GpuQueues, in turns on one laboratory. Nothing plays the device plugin:
 * pods run soon after they are bound. See {@code docs/benchmarks.md}.
 */
public final class ExtenderThroughput {
  private static final String SHARE = "nvidia.com/gpu: \"1\", nvidia.com/gpumem: \"8000\"";
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  /** As many Deployments, whose pods have a queue each. */
  private static final int QUEUES = 20;

  private static final String WITHOUT_EXTENDER =
      """
      apiVersion: kubescheduler.config.k8s.io/v1
      kind: KubeSchedulerConfiguration
      """;

  private final Lab lab;
  private final KubernetesClient client;
  private final int pods;
  private final Path folder;
  private final int port;
  private final Predicate<String> cases;

  /** One case, of a name. */
  private interface Case {
    void run(String what) throws Exception;
  }

  private ExtenderThroughput(
      Lab lab, KubernetesClient client, int pods, Path folder, int port, Predicate<String> cases) {
    this.lab = lab;
    this.client = client;
    this.pods = pods;
    this.folder = folder;
    this.port = port;
    this.cases = cases;
  }

  /** Arguments: nodes, pods, how often each case takes its turn, and a pattern of cases. */
  public static void main(String[] args) throws Exception {
    int nodes = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
    int pods = args.length > 1 ? Integer.parseInt(args[1]) : 3000;
    int turns = args.length > 2 ? Integer.parseInt(args[2]) : 1;
    var cases = Pattern.compile(args.length > 3 ? args[3] : "").asPredicate();
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty(PrescaleInLab.LONG_RUNS, "true");
    var folder = Files.createTempDirectory("extender-throughput");
    int port = PrescaleInLab.freePort();
    try (var lab = ExtenderInLab.emptyLab(folder, port);
        var client = LabObjects.client(lab)) {
      makeNodes(lab, nodes);
      QueuesOnEightCards.define(lab);
      var run = new ExtenderThroughput(lab, client, pods, folder, port, cases);
      for (int turn = 0; turn < turns; turn++) {
        run.ifAsked("no extender", it -> run.plain(it, WITHOUT_EXTENDER));
        run.ifAsked(
            "no extender, all nodes",
            it -> run.plain(it, WITHOUT_EXTENDER + "percentageOfNodesToScore: 100\n"));
        run.ifAsked("an extender that does nothing", run::idle);
        run.ifAsked(
            "Prescale's extender, ten nodes offered", it -> run.ours(it, "--candidates=10"));
        run.ifAsked("Prescale's extender", run::ours);
        lab.apply(queues());
        run.ifAsked("Prescale's extender with %d GpuQueues".formatted(QUEUES), run::ours);
        lab.kubectl("delete", "gpuqueues", "--all");
      }
    }
  }

  private static void makeNodes(Lab lab, int nodes) throws Exception {
    var manifest = RegisteredNodes.manifest(0, nodes, RegisteredNodes.CARDS);
    lab.kubectl("create", "--validate=false", "-f", write(manifest));
    lab.kubectl("wait", "nodes", "--all", "--for=condition=Ready", "--timeout=5m");
  }

  private static String write(String manifest) throws Exception {
    return Files.writeString(Files.createTempFile("nodes", ".yaml"), manifest).toString();
  }

  private static String queues() {
    return IntStream.range(0, QUEUES)
        .mapToObj(queue -> QueuesOnEightCards.queue("q" + queue, "{guarantee: 100}"))
        .collect(Collectors.joining());
  }

  private void ifAsked(String what, Case measured) throws Exception {
    if (cases.test(what)) {
      measured.run(what);
    }
  }

  private void plain(String what, String configuration) throws Exception {
    Files.writeString(folder.resolve("scheduler.yaml"), configuration);
    lab.command("kube-scheduler", Lab.Verb.RESTART);
    measure(what, "nvidia.com/gpu: \"1\"");
    ExtenderInLab.schedulerConfiguration(folder, port);
    lab.command("kube-scheduler", Lab.Verb.RESTART);
  }

  private void idle(String what) throws Exception {
    try (var _ = new IdleExtender(client, port)) {
      measure(what, SHARE);
    }
  }

  private void ours(String what, String... options) throws Exception {
    var extender = ExtenderInLab.install(lab, folder, port);
    try (var _ = extender.start("throughput", options)) {
      measure(what, SHARE);
      extender
          .get("/metrics")
          .lines()
          .filter(line -> line.matches("prescale_extender_seconds_(count|sum).*"))
          .forEach(System.out::println);
    }
  }

  /** Each is warm when it is measured, as a scheduler is that runs for weeks. */
  private void measure(String what, String limits) throws Exception {
    place(pods / 3, limits);
    double seconds = place(pods, limits);
    System.out.printf(
        Locale.ROOT, "%s: %d pods in %.1f s, %.0f pods/s%n", what, pods, seconds, pods / seconds);
  }

  /** Seconds from the first pod's binding to the last one's. */
  private double place(int pods, String limits) throws Exception {
    int all = pods / QUEUES * QUEUES;
    var bound = ConcurrentHashMap.<String>newKeySet();
    var seen = client.pods().inNamespace("default").inform(new Bound(bound));
    lab.apply(
        IntStream.range(0, QUEUES)
            .mapToObj(queue -> deployment(queue, pods / QUEUES, limits))
            .collect(Collectors.joining()));
    await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> !bound.isEmpty());
    long start = System.nanoTime();
    await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> bound.size() >= all);
    double seconds = (System.nanoTime() - start) / 1e9;
    seen.stop();
    lab.kubectl("delete", "deployments", "--all", "--cascade=foreground", "--timeout=15m");
    await()
        .atMost(PATIENCE)
        .until(() -> client.pods().inNamespace("default").list().getItems().isEmpty());
    return seconds;
  }

  private static String deployment(int queue, int pods, String limits) {
    return """
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: load-%1$d, namespace: default}
    spec:
      replicas: %2$d
      selector: {matchLabels: {app: load-%1$d}}
      template:
        metadata: {labels: {app: load-%1$d, gpu.prescale.io/queue: q%1$d}}
        spec:
          terminationGracePeriodSeconds: 0
          containers: [{name: main, image: model, resources: {limits: {%3$s}}}]
    """
        .formatted(queue, pods, limits);
  }

  private record Bound(ConcurrentHashMap.KeySetView<String, Boolean> uids)
      implements ResourceEventHandler<Pod> {
    @Override
    public void onAdd(Pod pod) {
      if (pod.getSpec().getNodeName() != null) {
        uids.add(pod.getMetadata().getUid());
      }
    }

    @Override
    public void onUpdate(Pod before, Pod pod) {
      onAdd(pod);
    }

    @Override
    public void onDelete(Pod pod, boolean unknown) {
      // Counted once.
    }
  }
}
