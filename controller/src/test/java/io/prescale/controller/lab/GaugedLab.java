package io.prescale.controller.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A laboratory with one replica of Prescale, and with demand that is whatever a test sets. Each
 * workload has a namespace of its name.
 */
record GaugedLab(Lab lab, Gauges gauges, PrescaleInLab prescale, Replica replica)
    implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Starts both.
   *
   * @param name the replica's, and its log's
   * @param options further ones of {@code prescale controller}
   */
  static GaugedLab start(Path folder, String name, String... options)
      throws IOException, InterruptedException {
    var gauges = Gauges.start();
    var lab = lab(folder, gauges, "3s");
    var prescale = PrescaleInLab.install(lab, folder);
    return new GaugedLab(lab, gauges, prescale, prescale.start(name, options));
  }

  /**
   * Three nodes, an HPA that looks every two seconds, and a Prometheus that scrapes the gauges
   * every second.
   *
   * @param podStartDelay such as {@code 3s}
   * @param options of the laboratory besides
   */
  static Lab lab(Path folder, Gauges gauges, String podStartDelay, String... options)
      throws IOException, InterruptedException {
    var prometheus =
        Files.writeString(
            folder.resolve("prometheus.yaml"),
            """
            global: {scrape_interval: 1s}
            scrape_configs: [{job_name: load, static_configs: [{targets: ["%s"]}]}]
            """
                .formatted(gauges.address()));
    var all = new ArrayList<>(List.of(options));
    all.add("--nodes=3");
    all.add("--hpa-sync-period=2s");
    all.add("--pod-start-delay=" + podStartDelay);
    all.add("--prometheus-config=" + prometheus);
    return Lab.start(all.toArray(String[]::new));
  }

  @Override
  public void close() {
    replica.close();
    lab.close();
    gauges.close();
  }

  String kubectl(String... arguments) throws IOException, InterruptedException {
    return lab.kubectl(arguments);
  }

  void awaitDefinitions() {
    lab.awaitDefinitions();
  }

  String apply(String manifest) throws IOException, InterruptedException {
    return lab.apply(manifest);
  }

  /** A namespace with a Deployment of its name. */
  void workload(String name, int replicas) throws IOException, InterruptedException {
    lab.kubectl("create", "namespace", name);
    lab.kubectl(
        "create",
        "deployment",
        name,
        "--namespace=" + name,
        "--image=model",
        "--replicas=" + replicas);
  }

  /** A PredictiveHPA for it: four units of demand a replica, at most nine replicas. */
  void predictiveHpa(String name, String mode, String query, String more)
      throws IOException, InterruptedException {
    lab.apply(manifest(name, mode, query, more));
  }

  static String manifest(String name, String mode, String query, String more) {
    return """
    apiVersion: autoscaling.prescale.io/v1alpha1
    kind: PredictiveHPA
    metadata: {name: %1$s, namespace: %1$s}
    spec:
      scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: %1$s}
      maxReplicas: 9
      mode: %2$s
      metrics:
      - name: requests
        prometheus: {query: "%3$s"}
        target: {averageValue: "4"}
      forecast: {step: 2s, history: 6h}
      fallback: {utilization: 100%%}
      %4$s
    """
        .formatted(name, mode, query, more);
  }

  void patch(String name, String merge) throws IOException, InterruptedException {
    lab.kubectl("patch", "phpa", name, "--namespace=" + name, "--type=merge", "--patch=" + merge);
  }

  JsonNode phpa(String name) throws IOException, InterruptedException {
    return get(name, "phpa", name);
  }

  JsonNode condition(String name, String type) throws IOException, InterruptedException {
    return condition(name, name, type);
  }

  JsonNode condition(String namespace, String name, String type)
      throws IOException, InterruptedException {
    for (JsonNode condition : get(namespace, "phpa", name).at("/status/conditions")) {
      if (condition.get("type").asText().equals(type)) {
        return condition;
      }
    }
    return JSON.readTree("{\"status\":\"\",\"reason\":\"\",\"message\":\"\"}");
  }

  int replicas(String name) throws IOException, InterruptedException {
    return get(name, "deployment", name).at("/spec/replicas").asInt();
  }

  List<String> hpas(String namespace) throws IOException, InterruptedException {
    return lab.kubectl("get", "hpa", "--namespace=" + namespace, "-o", "name")
        .lines()
        .map(line -> line.substring(line.indexOf('/') + 1))
        .toList();
  }

  JsonNode get(String namespace, String kind, String name)
      throws IOException, InterruptedException {
    return JSON.readTree(lab.kubectl("get", kind, name, "--namespace=" + namespace, "-o", "json"));
  }
}
