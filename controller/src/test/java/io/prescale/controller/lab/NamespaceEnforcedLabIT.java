package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The chart for all namespaces, whose program asks a real Prometheus through a real
 * prom-label-proxy, both with the arguments of the release: no team reads another's series.
 */
class NamespaceEnforcedLabIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Gives 28 % where the parameter reads the series of the namespace below. */
  private static final String PARAMETER =
      "quantile(scalar(load{namespace=\\\"below\\\"}) / 100, load)";

  private static final List<AutoCloseable> OPEN = new ArrayList<>();

  private static @Nullable Lab lab;
  private static @Nullable String proxy;

  @BeforeAll
  static void startAll(@TempDir Path folder) throws Exception {
    var gauges = Gauges.start();
    OPEN.add(gauges);
    gauges.set("load{namespace=\"above\"}", 12);
    gauges.set("load{namespace=\"below\"}", 28);
    gauges.set("gateway_load{namespace=\"gateway\"}", 40);
    lab =
        Lab.start(
            "--nodes=3",
            "--pod-start-delay=1s",
            "--prometheus-config=" + prometheusConfig(folder, gauges));
    OPEN.add(lab);
    int port = PrescaleInLab.freePort();
    proxy = "http://127.0.0.1:" + port;
    install(new Helm("helm4", lab, folder), port);
    var program = new ReleasedProgram(lab, folder);
    var command = new ArrayList<String>();
    command.add(Lab.program("prom-label-proxy").toString());
    command.addAll(program.arguments("prescale", "namespace-proxy"));
    OPEN.add(Replica.start("namespace-proxy", command, Map.of()));
    OPEN.add(program.start("namespace-enforced"));
  }

  private static Path prometheusConfig(Path folder, Gauges gauges) throws IOException {
    return Files.writeString(
        folder.resolve("prometheus.yaml"),
        """
        global: {scrape_interval: 1s}
        scrape_configs: [{job_name: load, static_configs: [{targets: ["%s"]}]}]
        """
            .formatted(gauges.address()));
  }

  private static void install(Helm helm, int proxyPort) throws Exception {
    lab().apply(ReleaseObjects.restrictedNamespace());
    helm.run(
        "install",
        "prescale",
        Helm.CHART.toString(),
        "--namespace=" + ReleasedProgram.NAMESPACE,
        "--wait",
        "--timeout=5m",
        "--set=apiService.register=false,page.enabled=false,host=127.0.0.1,shortestStep=1s",
        "--set=port=%d,metricsPort=%d"
            .formatted(PrescaleInLab.freePort(), PrescaleInLab.freePort()),
        "--set=prometheus.url=" + lab().describe().prometheus(),
        "--set=prometheus.enforceNamespace.port=" + proxyPort);
  }

  @AfterAll
  static void stopAll() throws Exception {
    for (var each : OPEN.reversed()) {
      each.close();
    }
  }

  @Test
  void eachNamespaceFindsItsOwnSeriesAlone() throws Exception {
    for (String namespace : List.of("above", "below")) {
      lab().kubectl("create", "namespace", namespace);
      predictiveHpa(namespace, "own", "prometheus: {query: sum(load)}");
      predictiveHpa(
          namespace, "both", "prometheus: {query: 'sum(load{namespace=~\"above|below\"})'}");
    }
    for (String name : List.of("own", "both")) {
      patiently().until(() -> wanted("above", name), replicas -> replicas == 3);
      patiently().until(() -> wanted("below", name), replicas -> replicas == 7);
    }
    theSeriesOfOthersAreRefusedOrNotFound();
    noWayAround();
  }

  private static void theSeriesOfOthersAreRefusedOrNotFound() throws Exception {
    predictiveHpa("above", "theirs", "prometheus: {query: 'load{namespace=\"below\"}'}");
    predictiveHpa("above", "gateway", "prometheus: {query: gateway_load}");

    assertThat(message("theirs", "MetricsAvailable", "QueryRefused"))
        .contains("rejects the query: conflicting label matcher")
        .containsSubsequence("namespace=", "below", "conflicts with injected", "above");
    assertThat(message("gateway", "MetricsAvailable", "NoSeries"))
        .contains("lets it find only series with the label namespace=\"above\"");
  }

  private static void noWayAround() throws Exception {
    predictiveHpa("above", "parameter", "prometheus: {query: \"" + PARAMETER + "\"}");
    assertThat(message("parameter", "Ready", "InvalidSpec")).contains("cannot combine scalar()");
    var direct = Objects.requireNonNull(lab().describe().prometheus(), "no Prometheus").toString();
    var servers = Map.of("direct", direct, "proxied", Objects.requireNonNull(proxy, "no proxy"));
    for (var server : servers.entrySet()) {
      predictiveHpa("above", server.getKey(), "prometheus: {query: load}", server.getValue());
      assertThat(message(server.getKey(), "Ready", "InvalidSpec"))
          .contains("spec.prometheus.url is " + server.getValue());
    }
  }

  private static void predictiveHpa(String namespace, String name, String query) throws Exception {
    predictiveHpa(namespace, name, query, "");
  }

  private static void predictiveHpa(String namespace, String name, String query, String url)
      throws Exception {
    lab().kubectl("create", "deployment", name, "--namespace=" + namespace, "--image=model");
    lab()
        .apply(
            """
            apiVersion: autoscaling.prescale.io/v1alpha1
            kind: PredictiveHPA
            metadata: {name: %2$s, namespace: %1$s}
            spec:
              scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: %2$s}
              maxReplicas: 20
              metrics:
              - name: %2$s
                %3$s
                target: {averageValue: "4"}
              forecast: {step: 2s, history: 6h}
              fallback: {utilization: 100%%}
              %4$s
            """
                .formatted(
                    namespace, name, query, url.isEmpty() ? "" : "prometheus: {url: " + url + "}"));
  }

  private static int wanted(String namespace, String name) throws Exception {
    return get(namespace, name).at("/status/desiredReplicas").asInt();
  }

  /** The message of a condition, once it has this reason. */
  private static String message(String name, String type, String reason) throws Exception {
    return patiently()
        .until(
            () -> condition(name, type),
            condition -> condition.path("reason").asText().equals(reason))
        .get("message")
        .asText();
  }

  private static JsonNode condition(String name, String type) throws Exception {
    for (JsonNode condition : get("above", name).at("/status/conditions")) {
      if (condition.get("type").asText().equals(type)) {
        return condition;
      }
    }
    return JSON.createObjectNode();
  }

  private static JsonNode get(String namespace, String name) throws Exception {
    return JSON.readTree(
        lab().kubectl("get", "phpa", name, "--namespace=" + namespace, "-o", "json"));
  }

  private static Lab lab() {
    return Objects.requireNonNull(lab, "the laboratory was not started");
  }
}
