package io.prescale.controller.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The API of external metrics, which another adapter had first. */
record SharedMetricsApi(Lab lab) {
  static final String PATH = "/apis/external.metrics.k8s.io/v1beta1";

  private static final String API_SERVICE = "v1beta1.external.metrics.k8s.io";

  /** As long as the API server's own; a busy machine takes more than the client's ten seconds. */
  private static final int PATIENCE_MILLIS = 60_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * A replica before that adapter.
   *
   * @param host the adapter's name; the laboratory has no cluster DNS, Java reads a file instead
   */
  static Replica passing(PrescaleInLab prescale, Path folder, String host, String... options)
      throws Exception {
    var hosts =
        Files.writeString(
            folder.resolve("hosts"),
            "127.0.0.1 localhost\n127.0.0.1 prescale.prescale.svc\n127.0.0.1 %s\n".formatted(host));
    var all = new ArrayList<>(List.of(options));
    all.add("--pass-through=verified");
    return prescale.start(
        "passing",
        Map.of("JDK_JAVA_OPTIONS", "-Djdk.net.hosts.file=" + hosts),
        all.toArray(String[]::new));
  }

  /** The path of a metric, with a selector such as {@code foo=bar}. */
  static String metric(String namespace, String name, String selector) {
    return "%s/namespaces/%s/%s?labelSelector=%s"
        .formatted(PATH, namespace, name, selector.replace("=", "%3D").replace("/", "%2F"));
  }

  /** The name of the Service that has the API. */
  String holder() throws Exception {
    return JSON.readTree(lab.kubectl("get", "apiservice", API_SERVICE, "-o", "json"))
        .at("/spec/service/name")
        .asText();
  }

  /** How many HPAs of a namespace have read all of their metrics. */
  long active(String namespace) throws Exception {
    long active = 0;
    var hpas = JSON.readTree(lab.kubectl("get", "hpa", "--namespace=" + namespace, "-o", "json"));
    for (JsonNode hpa : hpas.path("items")) {
      for (JsonNode condition : hpa.at("/status/conditions")) {
        active +=
            condition.path("type").asText().equals("ScalingActive")
                    && condition.path("status").asText().equals("True")
                ? 1
                : 0;
      }
    }
    return active;
  }

  /** How often an HPA could not read a metric, by its events. */
  int failedReads(String namespace, String hpa) throws Exception {
    int failed = 0;
    var events =
        JSON.readTree(lab.kubectl("get", "events", "--namespace=" + namespace, "-o", "json"));
    for (JsonNode event : events.path("items")) {
      if (event.at("/involvedObject/name").asText().equals(hpa)
          && event.path("reason").asText().equals("FailedGetExternalMetric")) {
        failed += event.path("count").asInt(1);
      }
    }
    return failed;
  }

  /** A client as the HPA controller is one: with its name, and without a second attempt. */
  KubernetesClient autoscaler() {
    var config = Config.fromKubeconfig(lab.describe().kubeconfig().toFile());
    config.setClientKeyAlgo("EC");
    return new KubernetesClientBuilder()
        .withConfig(
            new ConfigBuilder(config)
                .withImpersonateUsername(
                    "system:serviceaccount:kube-system:horizontal-pod-autoscaler")
                .withRequestRetryBackoffLimit(0)
                .withConnectionTimeout(PATIENCE_MILLIS)
                .withRequestTimeout(PATIENCE_MILLIS)
                .build())
        .build();
  }
}
