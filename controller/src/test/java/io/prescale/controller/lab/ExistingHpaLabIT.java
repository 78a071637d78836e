package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.Patience.stays;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HPAs of the user's: one that is followed and never written, and one that is not adopted yet. */
class ExistingHpaLabIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static @Nullable GaugedLab lab;
  private static int metrics;
  private static int page;
  private static String token = "";

  @BeforeAll
  static void startAll(@TempDir Path folder) throws IOException, InterruptedException {
    metrics = PrescaleInLab.freePort();
    page = PrescaleInLab.freePort();
    lab =
        GaugedLab.start(folder, "existing-hpa", "--metrics-port=" + metrics, "--page-port=" + page);
    lab.kubectl("create", "clusterrole", "reader", "--verb=list", "--resource=predictivehpas");
    lab.kubectl("create", "serviceaccount", "reader", "--namespace=prescale");
    lab.kubectl(
        "create",
        "clusterrolebinding",
        "reader",
        "--clusterrole=reader",
        "--serviceaccount=prescale:reader");
    token = lab.kubectl("create", "token", "reader", "--namespace=prescale").strip();
  }

  @AfterAll
  static void stopAll() {
    if (lab != null) {
      lab.close();
    }
  }

  @Test
  void anHpaFromGitIsFoundFollowedAndNeverWritten() throws Exception {
    lab().gauges().set("load_git", 20);
    lab().workload("git", 1);
    lab().predictiveHpa("git", "Active", "load_git", "scaleThrough: ExistingHPA");
    patiently()
        .until(
            () -> lab().condition("git", "ScalingActive").get("reason").asText(),
            "HpaNotReading"::equals);
    assertThat(lab().condition("git", "ScalingActive").get("message").asText())
        .contains("name: requests, selector: {matchLabels: {predictivehpa: git}}");

    applyAsGitOps(inGit("git"));

    patiently().until(() -> lab().replicas("git"), replicas -> replicas == 5);
    patiently()
        .until(
            () -> lab().condition("git", "ScalingActive").get("message").asText(),
            "Your HorizontalPodAutoscaler in-git acts on the served values."::equals);
    patiently()
        .until(
            () -> lab().phpa("git").at("/status/lastDecision/hpa/gate").asText(), "None"::equals);
    assertThat(lab().kubectl("get", "phpa", "git", "--namespace=git"))
        .containsPattern("NAME +TARGET +MODE +THROUGH")
        .containsPattern("git +Deployment/git +Active +ExistingHPA");
    assertThat(lab().prescale().run("explain", "git/git"))
        .contains("Your HorizontalPodAutoscaler in-git acts on the served values.");

    lab().gauges().set("load_git", 40);
    patiently().until(() -> lab().replicas("git"), replicas -> replicas == 7); // its own maximum
    patiently().until(() -> lab().phpa("git").at("/status/desiredReplicas").asInt(), it -> it == 7);
    patiently()
        .until(() -> lab().phpa("git").at("/status/leadTime/source").asText(), "Measured"::equals);

    lab().patch("git", "{\"spec\":{\"mode\":\"Shadow\"}}");
    patiently()
        .until(
            () -> lab().condition("git", "ScalingActive").get("reason").asText(),
            "ShadowMode"::equals);
    lab().kubectl("delete", "phpa", "git", "--namespace=git", "--timeout=5m");
    stays(() -> lab().replicas("git"), 7);
    assertThat(writers("in-git")).contains("gitops").doesNotContain("prescale");
    assertThat(lab().hpas("git")).containsExactly("in-git");
  }

  @Test
  void statusPageMetricsAndExplanationAreThoseOfAnHpaOfPrescales() throws Exception {
    lab().gauges().set("load_alike", 20);
    for (var way : List.of("PrescaleHPA", "ExistingHPA")) {
      var name = way.toLowerCase(Locale.ROOT);
      lab().workload(name, 1);
      lab().predictiveHpa(name, "Active", "load_alike", "scaleThrough: " + way);
    }
    applyAsGitOps(inGit("existinghpa"));
    for (var name : List.of("prescalehpa", "existinghpa")) {
      patiently().until(() -> lab().replicas(name), replicas -> replicas == 5);
      patiently().until(() -> shown(name).at("/state").asText(), state -> !state.isEmpty());
    }

    patiently().untilAsserted(() -> assertThat(told("existinghpa")).isEqualTo(told("prescalehpa")));
    assertThat(told("existinghpa"))
        .contains("wanted=5", "ready=5", "breaker=Learning", "prescale_desired_replicas 5.0");
  }

  /** What is said of a workload in each place, without its name and without times. */
  private static List<String> told(String name) throws Exception {
    var status = lab().phpa(name).get("status");
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
    lab()
        .prescale()
        .run("explain", name + "/" + name)
        .lines()
        .filter(line -> line.contains("replicas"))
        .map(line -> line.replace(name, "NAME"))
        .forEach(told::add);
    return told;
  }

  @Test
  void whileTheApiServerDoesNotReachPrescaleNoHpaIsAdopted() throws Exception {
    lab().gauges().set("load_cut", 12);
    lab().workload("cut", 1);
    lab().kubectl("autoscale", "deployment", "cut", "--namespace=cut", "--name=own", "--max=4");
    var before = lab().get("cut", "hpa", "own").get("spec");
    leadTo("unreachable.invalid");
    try {
      patiently()
          .until(
              () -> Files.readString(lab().replica().log()),
              log -> log.contains("and the API server does not reach it (FailedDiscoveryCheck"));
      lab().predictiveHpa("cut", "Active", "load_cut", "adopt: own");
      patiently()
          .until(
              () -> lab().condition("cut", "ScalingActive").get("reason").asText(),
              "MetricsServedByOthers"::equals);
      patiently()
          .until(() -> lab().phpa("cut").at("/status/desiredReplicas").asInt(), it -> it == 3);
      assertThat(lab().get("cut", "hpa", "own").get("spec")).isEqualTo(before);
      assertThat(lab().replicas("cut")).isOne();
    } finally {
      leadTo("localhost");
    }
    patiently().until(() -> lab().replicas("cut"), replicas -> replicas == 3);
  }

  @Test
  void ofTwoForecastMetricsItsHpaFollowsTheOneThatAsksForMore() throws Exception {
    lab().gauges().set("load_pair", 8);
    lab().gauges().set("tokens_pair", 450);
    lab().workload("pair", 1);
    var one = GaugedLab.manifest("pair", "Active", "load_pair", "");
    var two =
        """
          - name: tokens
            prometheus: {query: tokens_pair}
            target: {averageValue: "100"}
          forecast:\
        """;
    lab().apply(one.replace("  forecast:", two));

    patiently().until(() -> lab().replicas("pair"), replicas -> replicas == 5);
    patiently().until(() -> decidedBy("pair"), "tokens"::equals);
    lab().gauges().set("load_pair", 28);
    patiently().until(() -> lab().replicas("pair"), replicas -> replicas == 7);
    patiently().until(() -> decidedBy("pair"), "requests"::equals);
    assertThat(lab().get("pair", "hpa", "prescale-pair").at("/status/currentMetrics"))
        .as("the HPA has read both")
        .hasSize(2);
  }

  private static String decidedBy(String name) throws Exception {
    return lab().phpa(name).at("/status/lastDecision/metric").asText();
  }

  private static void leadTo(String host) throws Exception {
    lab()
        .kubectl(
            "patch",
            "service",
            "prescale",
            "--namespace=prescale",
            "--type=merge",
            "--patch={\"spec\":{\"externalName\":\"%s\"}}".formatted(host));
  }

  private static void applyAsGitOps(String manifest) throws Exception {
    var file = Files.createTempFile("in-git", ".yaml");
    file.toFile().deleteOnExit();
    Files.writeString(file, manifest);
    lab().kubectl("apply", "--server-side", "--field-manager=gitops", "-f", file.toString());
  }

  /** The page's row of a workload; empty while it has none. */
  private static JsonNode shown(String name) throws Exception {
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

  /** The field managers of an HPA. */
  private static List<String> writers(String hpa) throws Exception {
    var object =
        lab().kubectl("get", "hpa", hpa, "--namespace=git", "--show-managed-fields", "-o", "json");
    return JSON.readTree(object)
        .at("/metadata/managedFields")
        .valueStream()
        .map(entry -> entry.get("manager").asText())
        .toList();
  }

  private static String inGit(String name) {
    return """
    apiVersion: autoscaling/v2
    kind: HorizontalPodAutoscaler
    metadata: {name: in-git, namespace: %1$s}
    spec:
      scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: %1$s}
      minReplicas: 1
      maxReplicas: 7
      metrics:
      - type: External
        external:
          metric: {name: requests, selector: {matchLabels: {predictivehpa: %1$s}}}
          target: {type: AverageValue, averageValue: "4"}
      behavior: {scaleUp: {tolerance: "0"}}
    """
        .formatted(name);
  }

  private static GaugedLab lab() {
    return Objects.requireNonNull(lab, "the laboratory was not started");
  }
}
