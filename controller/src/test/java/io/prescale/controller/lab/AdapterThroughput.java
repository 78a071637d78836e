package io.prescale.controller.lab;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * How many metrics the adapter tells in a second, asked directly as the API server asks it: HTTPS
 * with the front proxy's certificate, on connections that stay open, the review of the user's
 * rights cached. See {@code docs/benchmarks.md}.
 *
 * <p>With the path of a binary of {@code sigs.k8s.io/custom-metrics-apiserver/test-adapter}, the
 * reference server takes its turns on the same control plane. Servers have one core, the asking
 * program has another.
 */
public final class AdapterThroughput {
  private static final Duration WARM_UP = Duration.ofSeconds(15);
  private static final Duration MEASURED = Duration.ofSeconds(15);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String METRICS = "/apis/external.metrics.k8s.io/v1beta1/namespaces/default/";

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
    var config = Files.writeString(folder.resolve("prometheus.yaml"), "scrape_configs: []\n");
    pin(ProcessHandle.current().pid(), 1);
    try (var lab = Lab.start("--nodes=1", "--prometheus-config=" + config)) {
      var run = new AdapterThroughput(lab, folder);
      run.ours();
      if (args.length > 0) {
        run.reference(Path.of(args[0]));
      }
    }
  }

  private void ours() throws Exception {
    var prescale = PrescaleInLab.install(lab, folder);
    lab.apply(LabObjects.deployment("constant", Duration.ofSeconds(2)));
    lab.apply(
        """
        apiVersion: autoscaling.prescale.io/v1alpha1
        kind: PredictiveHPA
        metadata: {name: constant, namespace: default}
        spec:
          scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: constant}
          maxReplicas: 9
          metrics:
          - {name: constant, prometheus: {query: vector(7)}, target: {averageValue: "10"}}
        """);
    try (var replica = prescale.start("throughput")) {
      pin(replica.process().pid(), 0);
      measure(
          "Prescale",
          request(prescale.port(), METRICS + "constant?labelSelector=predictivehpa%3Dconstant"));
    }
  }

  private void reference(Path binary) throws Exception {
    int port = PrescaleInLab.freePort();
    var kubeconfig = lab.describe().kubeconfig();
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
      measure("The reference", request(port, METRICS + "my-external-metric"));
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private RepeatedRequest request(int port, String path) throws IOException {
    var proxy = lab.describe().frontProxy().client();
    var tls = TlsFiles.context(Files.readString(proxy.cert()), Files.readString(proxy.key()));
    return new RepeatedRequest(tls, port, path, AUTOSCALER);
  }

  private static void measure(String what, RepeatedRequest request) throws Exception {
    await()
        .atMost(PATIENCE)
        .ignoreException(ExecutionException.class)
        .until(() -> request.ask(1, Duration.ofMillis(1)).perSecond() > 0);
    for (int connections : new int[] {1, 16}) {
      request.ask(connections, WARM_UP);
      System.out.printf(
          "%s, %d connections: %s%n", what, connections, request.ask(connections, MEASURED));
    }
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
