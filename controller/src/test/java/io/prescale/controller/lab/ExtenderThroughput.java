package io.prescale.controller.lab;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.prescale.placement.inventory.Nodes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Pods a second through the real kube-scheduler: with an extender that does nothing, and with ours,
 * in turns on one laboratory. Nothing plays the device plugin: pods run soon after they are bound.
 * See {@code docs/benchmarks.md}.
 */
public final class ExtenderThroughput {
  private static final int CARDS = 8;
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  private final Lab lab;
  private final KubernetesClient client;
  private final int pods;

  private ExtenderThroughput(Lab lab, KubernetesClient client, int pods) {
    this.lab = lab;
    this.client = client;
    this.pods = pods;
  }

  /** Arguments: nodes, pods, and how often both take their turn. */
  public static void main(String[] args) throws Exception {
    int nodes = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
    int pods = args.length > 1 ? Integer.parseInt(args[1]) : 3000;
    int turns = args.length > 2 ? Integer.parseInt(args[2]) : 1;
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty(PrescaleInLab.LONG_RUNS, "true");
    var folder = Files.createTempDirectory("extender-throughput");
    int port = PrescaleInLab.freePort();
    try (var lab =
            Lab.start(
                "--nodes=0",
                "--pod-start-delay=0s",
                "--scheduler-config=" + ExtenderInLab.schedulerConfiguration(folder, port));
        var client = LabObjects.client(lab)) {
      makeNodes(lab, nodes);
      var run = new ExtenderThroughput(lab, client, pods);
      for (int turn = 0; turn < turns; turn++) {
        run.idle(port);
        run.ours(folder, port);
      }
    }
  }

  private static void makeNodes(Lab lab, int nodes) throws Exception {
    var text = new StringBuilder();
    for (int node = 0; node < nodes; node++) {
      var name = "node-" + node;
      text.append(
          """
          ---
          apiVersion: v1
          kind: Node
          metadata: {name: %1$s, annotations: {hami.io/node-nvidia-register: '%2$s'}}
          status:
            capacity: {cpu: "128", memory: 1Ti, pods: "250", nvidia.com/gpu: "80"}
            allocatable: {cpu: "128", memory: 1Ti, pods: "250", nvidia.com/gpu: "80"}
          """
              .formatted(name, Nodes.a100Register(name, CARDS)));
    }
    lab.kubectl("create", "--validate=false", "-f", write(text.toString()));
    lab.kubectl("wait", "nodes", "--all", "--for=condition=Ready", "--timeout=5m");
  }

  private static String write(String manifest) throws Exception {
    return Files.writeString(Files.createTempFile("nodes", ".yaml"), manifest).toString();
  }

  private void idle(int port) throws Exception {
    try (var _ = new IdleExtender(client, port)) {
      measure("an extender that does nothing");
    }
  }

  private void ours(Path folder, int port) throws Exception {
    var extender = ExtenderInLab.install(lab, folder, port);
    try (var _ = extender.start("throughput")) {
      measure("Prescale's extender");
      extender
          .get("/metrics")
          .lines()
          .filter(line -> line.matches("prescale_extender_seconds_(count|sum).*"))
          .forEach(System.out::println);
    }
  }

  /** Both are warm when they are measured, as an extender is that runs for weeks. */
  private void measure(String what) throws Exception {
    place(pods / 3);
    double seconds = place(pods);
    System.out.printf(
        Locale.ROOT, "%s: %d pods in %.1f s, %.0f pods/s%n", what, pods, seconds, pods / seconds);
  }

  /** Seconds from the first pod's binding to the last one's. */
  private double place(int pods) throws Exception {
    var bound = ConcurrentHashMap.<String>newKeySet();
    var seen = client.pods().inNamespace("default").inform(new Bound(bound));
    lab.apply(deployment(pods));
    await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> !bound.isEmpty());
    long start = System.nanoTime();
    await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> bound.size() >= pods);
    double seconds = (System.nanoTime() - start) / 1e9;
    seen.stop();
    lab.kubectl("delete", "deployment", "load", "--cascade=foreground", "--timeout=15m");
    await()
        .atMost(PATIENCE)
        .until(() -> client.pods().inNamespace("default").list().getItems().isEmpty());
    return seconds;
  }

  private static String deployment(int pods) {
    return """
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: load, namespace: default}
    spec:
      replicas: %d
      selector: {matchLabels: {app: load}}
      template:
        metadata: {labels: {app: load}}
        spec:
          terminationGracePeriodSeconds: 0
          containers:
          - name: main
            image: model
            resources: {limits: {nvidia.com/gpu: "1", nvidia.com/gpumem: "8000"}}
    """
        .formatted(pods);
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
