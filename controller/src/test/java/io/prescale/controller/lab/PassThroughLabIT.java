package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.demand.prometheus.SelfSigned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prescale before Kubernetes' example of an adapter, which served the cluster's metrics first. Its
 * first run builds the example.
 */
class PassThroughLabIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String API = "/apis/external.metrics.k8s.io/v1beta1";
  private static final String THEIRS =
      API + "/namespaces/default/my-external-metric?labelSelector=foo%3Dbar";
  private static final String OURS = API + "/namespaces/default/" + LabObjects.METRIC;
  private static final String SERVICE = "sample-adapter.custom-metrics.svc";

  @Test
  void noReadOfEitherFailsWhileTheApiIsTakenOverAndGivenBack(@TempDir Path folder)
      throws Exception {
    var config = folder.resolve("prometheus.yml");
    try (var exporter = LoadExporter.start(new Steady(), Clock.systemUTC());
        var lab =
            Lab.start(
                "--nodes=3",
                "--hpa-sync-period=5s",
                "--pod-start-delay=2s",
                "--prometheus-config=" + Files.writeString(config, exporter.prometheusConfig()))) {
      var prescale = PrescaleInLab.install(lab, folder);
      var port = PrescaleInLab.freePort();
      var certificate = SelfSigned.create(folder, "sample", "dns:" + SERVICE, "EC");
      lab.apply(ForeignAdapter.registration("custom-metrics", "sample-adapter", port, certificate));
      lab.apply(LabObjects.deployment("theirs", Duration.ofSeconds(2)));
      lab.apply(hpa());
      try (var sample = start(lab, port, certificate);
          var autoscaler = autoscaler(lab)) {
        patiently().until(() -> replicas(lab, "theirs"), it -> it == 2);

        try (var theirs = new Reads(autoscaler, THEIRS);
            var replica = start(prescale, folder)) {
          lab.apply(LabObjects.deployment("ours", Duration.ofSeconds(2)));
          lab.apply(
              LabObjects.predictiveHpa("ours", 10, "step: 5s, history: 6h", "  leadTime: 10s"));
          patiently().until(() -> holder(lab), "prescale"::equals);
          patiently().until(() -> autoscaler.raw(OURS).contains("\"items\""));
          var ours = new Reads(autoscaler, OURS);
          patiently()
              .until(
                  () -> JSON.readTree(lab.kubectl("get", "hpa", "-o", "json")),
                  PassThroughLabIT::areAllActive);
          assertThat(theirs.failures).isEmpty();

          sample.kill();
          patiently().until(() -> !theirs.failures.isEmpty());
          assertThat(theirs.failures.getFirst())
              .contains("custom-metrics/sample-adapter, which serves this metric, did not answer");
          assertThat(ours.failures).as("only its own metrics fail").isEmpty();
          assertThat(autoscaler.raw(API)).contains("externalmetrics");

          try (var again = start(lab, port, certificate)) {
            patiently().until(() -> autoscaler.raw(THEIRS).contains("\"42\""));
            theirs.failures.clear();
            ours.close();
            assertThat(prescale.run("give-back"))
                .contains("custom-metrics/sample-adapter serves external metrics again");
            assertThat(holder(lab)).isEqualTo("sample-adapter");
            int before = theirs.count();
            patiently().until(() -> theirs.count() > before + 100);
            assertThat(theirs.failures).isEmpty();
            assertThat(holder(lab)).as("replicas leave it").isEqualTo("sample-adapter");
            assertThat(again.process().isAlive()).isTrue();
          }
          assertThat(replica.process().isAlive()).isTrue();
        }
        assertThat(replicas(lab, "theirs")).isEqualTo(2);
      }
    }
  }

  /** For five replicas of ten. */
  private static final class Steady implements Load {
    @Override
    public Duration step() {
      return Duration.ofSeconds(5);
    }

    @Override
    public double at(Instant time) {
      return 45;
    }
  }

  /** Reads as the HPA controller does, several times a second, until it is closed. */
  private static final class Reads implements AutoCloseable {
    final List<String> failures = new CopyOnWriteArrayList<>();
    private final Thread reading;
    private final AtomicInteger count = new AtomicInteger();

    Reads(KubernetesClient client, String path) {
      reading =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      while (!Thread.interrupted()) {
                        read(client, path);
                        Thread.sleep(100);
                      }
                    } catch (InterruptedException _) {
                      Thread.currentThread().interrupt();
                    }
                  });
    }

    private void read(KubernetesClient client, String path) {
      try {
        var answer = client.raw(path);
        if (answer == null || !answer.contains("\"items\"")) {
          failures.add(String.valueOf(answer));
        }
      } catch (KubernetesClientException e) {
        failures.add(String.valueOf(e.getMessage()));
      }
      count.incrementAndGet();
    }

    int count() {
      return count.get();
    }

    @Override
    public void close() {
      reading.interrupt();
    }
  }

  private static boolean areAllActive(JsonNode hpas) {
    int active = 0;
    for (var hpa : hpas.path("items")) {
      for (var condition : hpa.at("/status/conditions")) {
        active +=
            condition.path("type").asText().equals("ScalingActive")
                    && condition.path("status").asText().equals("True")
                ? 1
                : 0;
      }
    }
    return active == 2;
  }

  private static int replicas(Lab lab, String deployment) throws Exception {
    return JSON.readTree(lab.kubectl("get", "deployment", deployment, "-o", "json"))
        .at("/spec/replicas")
        .asInt();
  }

  private static String holder(Lab lab) throws Exception {
    return JSON.readTree(
            lab.kubectl("get", "apiservice", "v1beta1.external.metrics.k8s.io", "-o", "json"))
        .at("/spec/service/name")
        .asText();
  }

  /** The HPA controller's service account. */
  private static KubernetesClient autoscaler(Lab lab) {
    var config = Config.fromKubeconfig(lab.describe().kubeconfig().toFile());
    config.setClientKeyAlgo("EC");
    return new KubernetesClientBuilder()
        .withConfig(
            new ConfigBuilder(config)
                .withImpersonateUsername(
                    "system:serviceaccount:kube-system:horizontal-pod-autoscaler")
                .withRequestRetryBackoffLimit(0)
                .build())
        .build();
  }

  /** The laboratory has no cluster DNS; Java reads this file instead. */
  private static Replica start(PrescaleInLab prescale, Path folder) throws IOException {
    var hosts =
        Files.writeString(
            folder.resolve("hosts"),
            "127.0.0.1 localhost\n127.0.0.1 prescale.prescale.svc\n127.0.0.1 %s\n"
                .formatted(SERVICE));
    return prescale.start(
        "passing",
        Map.of("JDK_JAVA_OPTIONS", "-Djdk.net.hosts.file=" + hosts),
        "--pass-through=verified");
  }

  private static Replica start(Lab lab, int port, SelfSigned certificate)
      throws IOException, InterruptedException {
    var kubeconfig = lab.describe().kubeconfig().toString();
    return Replica.start(
        "sample-adapter",
        List.of(
            Lab.sampleAdapter().toString(),
            "--secure-port=" + port,
            "--bind-address=127.0.0.1",
            "--tls-cert-file=" + certificate.certificate(),
            "--tls-private-key-file=" + certificate.key(),
            "--lister-kubeconfig=" + kubeconfig,
            "--authentication-kubeconfig=" + kubeconfig,
            "--authorization-kubeconfig=" + kubeconfig),
        Map.of("KUBECONFIG", kubeconfig));
  }

  /** By the example's constant 42. */
  private static String hpa() {
    return """
    apiVersion: autoscaling/v2
    kind: HorizontalPodAutoscaler
    metadata: {name: theirs, namespace: default}
    spec:
      scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: theirs}
      minReplicas: 1
      maxReplicas: 5
      metrics:
      - type: External
        external:
          metric: {name: my-external-metric, selector: {matchLabels: {foo: bar}}}
          target: {type: AverageValue, averageValue: "21"}
    """;
  }
}
