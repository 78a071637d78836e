package io.prescale.controller.lab;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How many of 2,000 metrics a replica that only serves gives in a second, asked directly as the API
 * server asks it: HTTPS with the front proxy's certificate, on connections that stay open, the
 * review of the user's rights cached. Before that, how long and how much processor time it takes
 * from its start to the first metric; after it, how much memory it has. See {@code
 * docs/benchmarks.md}.
 *
 * <p>With the path of a binary of {@code sigs.k8s.io/custom-metrics-apiserver/test-adapter}, the
 * reference server, which has one metric, takes its turn on the same control plane. Either is asked
 * flat out, and 2,000 times a second. Servers have one core; the asking program, the leader and the
 * control plane have the other.
 */
public final class AdapterThroughput {
  private static final int METRICS = 2000;

  private static final Duration WARM_UP = Duration.ofSeconds(15);
  private static final Duration MEASURED = Duration.ofSeconds(15);
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  /** For 2,000 a second on 16 connections: 30,000 HPAs with the usual period. */
  private static final Duration EACH_IN = Duration.ofMillis(8);

  /** A third of a core, looked at in this time. */
  private static final Duration LOOK = Duration.ofSeconds(15);

  private static final Duration CALM = Duration.ofSeconds(5);
  private static final String REFERENCES =
      "/apis/external.metrics.k8s.io/v1beta1/namespaces/default/my-external-metric";

  /**
   * As the JVM chooses for the chart's gibibyte and fewer than two cores; others are tried by
   * {@code -Dprescale.javaOptions}, with commas between them.
   */
  private static final Map<String, String> SMALL =
      Map.of(
          "JAVA_TOOL_OPTIONS",
          "-XX:+UseSerialGC -Xms16m -Xmx614m "
              + System.getProperty("prescale.javaOptions", "").replace(',', ' '));

  private static final List<String> AUTOSCALER =
      List.of(
          "X-Remote-User: system:serviceaccount:kube-system:horizontal-pod-autoscaler",
          "X-Remote-Group: system:serviceaccounts",
          "X-Remote-Group: system:serviceaccounts:kube-system");

  private final Lab lab;
  private final Path folder;

  private AdapterThroughput(Lab lab, Path folder) {
    this.lab = lab;
    this.folder = folder;
  }

  /** Argument: the reference's binary, if it is to be measured too. */
  public static void main(String[] args) throws Exception {
    var folder = Files.createTempDirectory("adapter-throughput");
    var prometheus = LabPrometheus.in(folder);
    var now = Instant.now();
    var load = new DailyLoad(1, now.minus(Duration.ofDays(2)), Duration.ofDays(1), 100);
    pin(ProcessHandle.current().pid(), 1);
    try (var exporter = LoadExporter.start(load, Clock.systemUTC());
        var lab = Lab.start("--nodes=1", "--prometheus-config=" + prometheus.config())) {
      prometheus.fill(lab, exporter, load, now.minus(Duration.ofHours(25)), now);
      new AdapterThroughput(lab, folder).measure(Arrays.stream(args).map(Path::of).findFirst());
    }
  }

  /** The leader works beside both, as the asking program shares its core with it. */
  private void measure(Optional<Path> reference) throws Exception {
    var prescale = PrescaleInLab.install(lab, folder);
    ManyObjects.create(lab, METRICS, "step: 5m, history: 24h");
    var paths = IntStream.range(0, METRICS).mapToObj(ManyObjects::path).toList();
    try (var leader = prescale.start("throughput-leader")) {
      await().atMost(PATIENCE).until(request(prescale.port(), paths)::areAllAnswered);
      awaitCalm(leader.process());
      ours(prescale, paths);
      if (reference.isPresent()) {
        reference(reference.get());
      }
    }
  }

  private void ours(PrescaleInLab prescale, List<String> paths) throws Exception {
    int port = PrescaleInLab.freePort();
    var began = Instant.now();
    try (var replica = prescale.startBeside("throughput", port, SMALL)) {
      pin(replica.process().pid(), 0);
      measure("Prescale", replica.process(), request(port, paths), began);
    }
  }

  /** Until the leader has made its first fits, which take the API server's core as well. */
  private static void awaitCalm(Process leader) throws InterruptedException {
    var used = leader.info().totalCpuDuration().orElseThrow();
    var last = LOOK;
    while (last.compareTo(CALM) > 0) {
      Thread.sleep(LOOK);
      var now = leader.info().totalCpuDuration().orElseThrow();
      last = now.minus(used);
      used = now;
    }
  }

  private void reference(Path binary) throws Exception {
    int port = PrescaleInLab.freePort();
    var kubeconfig = lab.describe().kubeconfig();
    var began = Instant.now();
    var process =
        new ProcessBuilder(
                binary.toString(),
                "--secure-port=" + port,
                "--bind-address=127.0.0.1",
                "--cert-dir=" + folder,
                "--lister-kubeconfig=" + kubeconfig,
                "--authentication-kubeconfig=" + kubeconfig,
                "--authorization-kubeconfig=" + kubeconfig)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("reference.log").toFile())
            .start();
    try {
      pin(process.pid(), 0);
      measure("The reference", process, request(port, List.of(REFERENCES)), began);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private RepeatedRequest request(int port, List<String> paths) throws IOException {
    var proxy = lab.describe().frontProxy().client();
    var tls = TlsFiles.context(Files.readString(proxy.cert()), Files.readString(proxy.key()));
    return new RepeatedRequest(tls, port, paths, AUTOSCALER);
  }

  private static void measure(String what, Process process, RepeatedRequest request, Instant began)
      throws Exception {
    await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(100))
        .until(request::isFirstAnswered);
    System.out.printf(
        "%s, first metric: %d ms, %d ms of processor time%n",
        what,
        Duration.between(began, Instant.now()).toMillis(),
        process.info().totalCpuDuration().orElseThrow().toMillis());
    await().atMost(PATIENCE).until(request::areAllAnswered);
    for (int connections : new int[] {1, 16}) {
      request.ask(connections, WARM_UP);
      System.out.printf(
          "%s, %d connections: %s%n", what, connections, request.ask(connections, MEASURED));
    }
    System.out.printf("%s, paced: %s%n", what, request.ask(16, MEASURED, EACH_IN));
    System.out.printf("%s, resident: %d MiB%n", what, Replica.residentMib(process));
  }

  /** Gives a process one core, where there are two and a program that can. */
  private static void pin(long process, int core) throws IOException, InterruptedException {
    new ProcessBuilder("taskset", "-a", "-c", "-p", "" + core, "" + process)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
