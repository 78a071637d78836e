package io.prescale.controller.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;

/**
 * What is said of a workload in its status, on the page, in the metrics and by explain.
 *
 * @param metrics the port of the replica's metrics
 * @param page the port of its page
 * @param token of a user who may see the page
 */
record Surfaces(GaugedLab lab, int metrics, int page, String token) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** Those of a replica that has been started with {@link #options}. */
  static Surfaces of(GaugedLab lab, int metrics, int page)
      throws IOException, InterruptedException {
    lab.kubectl("create", "clusterrole", "reader", "--verb=list", "--resource=predictivehpas");
    lab.kubectl("create", "serviceaccount", "reader", "--namespace=prescale");
    lab.kubectl(
        "create",
        "clusterrolebinding",
        "reader",
        "--clusterrole=reader",
        "--serviceaccount=prescale:reader");
    var token = lab.kubectl("create", "token", "reader", "--namespace=prescale").strip();
    return new Surfaces(lab, metrics, page, token);
  }

  static List<String> options(int metrics, int page) {
    return List.of("--metrics-port=" + metrics, "--page-port=" + page);
  }

  /** Whether the page has a state for it. */
  boolean isShown(String name) throws Exception {
    return !shown(name).at("/state").asText().isEmpty();
  }

  /** What is said in each place, without its name and without times. */
  List<String> told(String name) throws Exception {
    var status = lab.phpa(name).get("status");
    var decision = status.get("lastDecision");
    var told = new ArrayList<String>();
    told.add("breaker=" + status.at("/metrics/0/breaker/state").asText());
    told.add("served=" + status.at("/metrics/0/served").asText());
    told.add("gate=" + decision.at("/hpa/gate").asText() + " " + decision.at("/reason").asText());
    told.add("wanted=" + shown(name).at("/wanted").asInt());
    told.add("ready=" + shown(name).at("/ready").asInt());
    told.add("state=" + shown(name).at("/state").asText());
    get(metrics, "/metrics", "")
        .lines()
        .filter(line -> line.contains("name=\"" + name + "\""))
        .filter(line -> line.matches("prescale_(desired_replicas|served_value|breaker_state).*"))
        .map(line -> line.replaceFirst("\\{.*}", ""))
        .forEach(told::add);
    lab.prescale()
        .run("explain", name + "/" + name)
        .lines()
        .filter(line -> line.contains("replicas"))
        .map(line -> line.replace(name, "NAME"))
        .forEach(told::add);
    return told;
  }

  /** The page's row of a workload; empty while it has none. */
  private JsonNode shown(String name) throws Exception {
    var overview = JSON.readTree(get(page, "/api/v1/overview", token));
    return overview
        .get("workloads")
        .valueStream()
        .filter(row -> row.at("/id").asText().equals(name + "/" + name))
        .findFirst()
        .orElse(MissingNode.getInstance());
  }

  private static String get(int port, String path, String bearer) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    request.header("Authorization", "Bearer " + bearer);
    return HTTP.send(request.build(), BodyHandlers.ofString()).body();
  }
}
