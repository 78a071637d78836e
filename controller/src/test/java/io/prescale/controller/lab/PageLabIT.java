package io.prescale.controller.lab;

import static io.prescale.controller.lab.PageClient.json;
import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.lab.Lab.Verb;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.assertj.core.api.Assumptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page of two replicas, one of which leads, over their loopback ports, as a port-forward
 * reaches them: who may see it, and that it shows what the status says.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageLabIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final InstantSource CLOCK = InstantSource.system();
  private static final Duration RECORDED = Duration.ofDays(9);
  private static final Duration REMEMBERED = Duration.ofHours(6);
  private static final String CHAT = "workloads/default%2Fchat/";

  /** Gates of an HPA that has read the value. */
  private static final Set<String> ACTED_ON =
      Set.of("NONE", "TOLERANCE", "STABILIZATION", "POLICY", "MAXIMUM", "MINIMUM");

  /** As long as answers of the cluster may be remembered, and a little. */
  private static final Duration FORGOTTEN = Duration.ofSeconds(11);

  private final List<AutoCloseable> toClose = new ArrayList<>();
  private final List<Integer> pages = new ArrayList<>();
  private final PageClient client = new PageClient(HttpClient.newHttpClient());
  private @Nullable Lab lab;
  private String reader = "";
  private String stranger = "";

  @BeforeAll
  void startAll(@TempDir Path folder) throws Exception {
    var now = CLOCK.instant();
    var load = new DailyLoad(5, now.minus(Duration.ofHours(8)), Duration.ofDays(1), 60);
    var exporter = closeLater(LoadExporter.start(load, CLOCK));
    var prometheus = LabPrometheus.in(folder);
    lab =
        closeLater(
            Lab.start(
                "--nodes=2", "--pod-start-delay=3s", "--prometheus-config=" + prometheus.config()));
    prometheus.fill(lab(), exporter, load, now.minus(RECORDED), now);
    var prescale = PrescaleInLab.install(lab(), folder);
    lab().apply(LabObjects.deployment("chat", Duration.ofSeconds(3)));
    lab().apply(LabObjects.predictiveHpa("chat", 10, REMEMBERED, "  leadTime: 30s"));
    reader = token("reader");
    lab().kubectl("create", "clusterrole", "reader", "--verb=list", "--resource=predictivehpas");
    lab()
        .kubectl(
            "create",
            "clusterrolebinding",
            "reader",
            "--clusterrole=reader",
            "--serviceaccount=prescale:reader");
    stranger = token("stranger");
    for (int i = 0; i < 2; i++) {
      pages.add(PrescaleInLab.freePort());
    }
    closeLater(prescale.start("page-1", "--page-port=" + pages.getFirst()));
    closeLater(prescale.startBeside("page-2", "--page-port=" + pages.getLast()));
    for (int page : pages) {
      patiently()
          .until(
              () -> client.get(page, "overview", reader),
              answer ->
                  answer.statusCode() == 200
                      && json(answer).at("/workloads/0/state").asText().equals("TRUSTED"));
    }
  }

  private String token(String serviceAccount) throws Exception {
    lab().kubectl("create", "serviceaccount", serviceAccount, "--namespace=prescale");
    return lab().kubectl("create", "token", serviceAccount, "--namespace=prescale").strip();
  }

  @AfterAll
  void stopAll() throws Exception {
    for (var each : toClose.reversed()) {
      each.close();
    }
  }

  @Test
  void whoBringsNoTokenOfTheClusterGets401AndWhoMayNotListGets403() throws Exception {
    for (int page : pages) {
      for (String path : List.of("overview", "gpus", CHAT + "series", CHAT + "replay/report")) {
        assertThat(client.get(page, path, "").statusCode()).as(path).isEqualTo(401);
        assertThat(client.get(page, path, "made-up").statusCode()).as(path).isEqualTo(401);
        assertThat(client.get(page, path, stranger).statusCode()).as(path).isEqualTo(403);
      }
      assertThat(client.get(page, "overview", stranger).body())
          .contains(
              "system:serviceaccount:prescale:stranger may not list"
                  + " predictivehpas.autoscaling.prescale.io of all namespaces.");
      assertThat(client.post(page, CHAT + "replay", stranger).statusCode()).isEqualTo(403);
      assertThat(client.get(page, "overview", reader).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void itsFilesAreForEverybodyAndRunNoScriptFromElsewhere() throws Exception {
    var answer =
        client
            .http()
            .send(
                HttpRequest.newBuilder(
                        URI.create("http://localhost:%d/".formatted(pages.getFirst())))
                    .build(),
                BodyHandlers.ofString());

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("Sign in");
    assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'; script-src 'self'")
        .doesNotContain("unsafe");
  }

  @Test
  void theLeaderAndTheFollowerShowTheForecastOfTheStatus() throws Exception {
    for (int page : pages) {
      patiently().untilAsserted(() -> assertShowsTheStatus(page));
    }
  }

  private void assertShowsTheStatus(int page) throws Exception {
    var status = phpa().get("status");
    var decision = status.get("lastDecision");
    var at = Instant.parse(decision.get("at").asText());
    var why = json(client.get(page, CHAT + "why?at=" + at.getEpochSecond(), reader));
    assertThat(why.path("at").asText()).isEqualTo(at.toString());

    var metric = status.at("/metrics/0");
    for (String quantile : List.of("p50", "p90", "p95", "p99")) {
      assertThat(why.at("/forecast/" + quantile).asDouble())
          .as(quantile)
          .isEqualTo(value(metric.at("/quantiles/" + quantile)));
    }
    assertThat(why.path("observed").asDouble()).isEqualTo(value(metric.get("observed")));
    assertThat(why.path("served").asDouble()).isEqualTo(value(metric.get("served")));
    assertThat(why.path("desiredReplicas").asInt())
        .isEqualTo(decision.get("desiredReplicas").asInt());
    assertThat(why.at("/lead/seconds").asLong()).isEqualTo(status.at("/leadTime/seconds").asLong());

    var series = json(client.get(page, CHAT + "series?minutes=60", reader));
    var p95 = series.path("p95");
    assertThat(p95.path(p95.size() - 1).asDouble()).isEqualTo(why.at("/forecast/p95").asDouble());
    var chat = json(client.get(page, "overview", reader)).at("/workloads/0");
    assertThat(chat.path("id").asText()).isEqualTo("default/chat");
    assertThat(chat.path("wanted").asInt()).isEqualTo(status.get("desiredReplicas").asInt());
    assertThat(chat.path("ready").asInt()).isEqualTo(status.get("readyReplicas").asInt());
  }

  @Test
  void everyReplicaTellsWhatTheHpaMadeOfADecision() throws Exception {
    for (int page : pages) {
      patiently()
          .until(
              () -> {
                var at = Instant.parse(phpa().at("/status/lastDecision/at").asText());
                return json(client.get(page, CHAT + "why?at=" + at.getEpochSecond(), reader));
              },
              why -> ACTED_ON.contains(why.at("/hpa/gate").asText()));
    }
  }

  @Test
  void aDeployIsAMarkOnBothPages() throws Exception {
    var template = "{\"spec\":{\"template\":{\"metadata\":{\"labels\":{\"version\":\"2\"}}}}}";
    patiently().until(() -> phpa().at("/status/rollout/revision").asText(), it -> !it.isEmpty());
    lab().kubectl("patch", "deployment", "chat", "--patch", template);
    for (int page : pages) {
      patiently()
          .until(
              () -> json(client.get(page, CHAT + "series?minutes=60", reader)).at("/marks"),
              marks -> marks.findValuesAsText("kind").contains("DEPLOY"));
    }
  }

  @Test
  @Tag("long")
  void whatTheLastWeekSavedIsThereWithoutBeingAskedFor() throws Exception {
    for (int page : pages) {
      patiently()
          .until(
              () -> json(client.get(page, "savings", reader)),
              saved -> saved.path("counted").asInt() == 1 && saved.path("workloads").asInt() == 1);
    }
  }

  /** A quantity of one or no decimal suffix. */
  private static double value(JsonNode quantity) {
    var text = quantity.asText();
    return text.endsWith("m")
        ? Double.parseDouble(text.substring(0, text.length() - 1)) / 1000
        : Double.parseDouble(text);
  }

  @Test
  void nobodyOnTheNetworkReachesIt() throws Exception {
    var elsewhere =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
            .toList();
    Assumptions.assumeThat(elsewhere).as("addresses of this machine").isNotEmpty();
    for (var address : elsewhere) {
      try (var socket = new Socket()) {
        assertThat(
                catchThrowable(
                    () -> socket.connect(new InetSocketAddress(address, pages.getFirst()), 2000)))
            .as(address.toString())
            .isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void aReplayOfItsOwnHistoryRunsWithProgressAndEndsInAReport() throws Exception {
    int page = pages.getLast();
    assertThat(client.post(page, CHAT + "replay", reader).statusCode()).isEqualTo(202);
    var seen = new ArrayList<Double>();
    var job =
        patiently()
            .pollInterval(Duration.ofMillis(50))
            .until(
                () -> {
                  var now = json(client.get(page, CHAT + "replay", reader));
                  seen.add(now.get("done").asDouble());
                  return now;
                },
                now -> !now.get("state").asText().equals("RUNNING"));

    assertThat(job.get("problem").asText()).isEmpty();
    assertThat(job.at("/rows/2/policy").asText()).isEqualTo("Prescale");
    assertThat(seen).isSorted();
    assertThat(seen).anyMatch(done -> done > 0 && done < 1);
    assertThat(client.get(page, CHAT + "replay/report", reader).body())
        .contains("default/chat", "lab_requests_in_flight");
  }

  @Test
  void whileTheClusterDoesNotAnswerNobodyIsAdmitted() throws Exception {
    lab().command("kube-apiserver", Verb.STOP);
    try {
      Thread.sleep(FORGOTTEN);
      assertThat(client.get(pages.getFirst(), "overview", reader).statusCode()).isEqualTo(503);
      assertThat(client.get(pages.getFirst(), "overview", "").statusCode()).isEqualTo(401);
    } finally {
      lab().command("kube-apiserver", Verb.START);
    }
    for (int page : pages) {
      patiently()
          .until(() -> client.get(page, "overview", reader).statusCode(), code -> code == 200);
    }
  }

  private JsonNode phpa() throws Exception {
    return JSON.readTree(
        lab().kubectl("get", "predictivehpa", "chat", "--namespace=default", "-o", "json"));
  }

  private <T extends AutoCloseable> T closeLater(T resource) {
    toClose.add(resource);
    return resource;
  }

  private Lab lab() {
    return Objects.requireNonNull(lab, "the laboratory was not started");
  }
}
