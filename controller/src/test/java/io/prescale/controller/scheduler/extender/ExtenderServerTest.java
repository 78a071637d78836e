package io.prescale.controller.scheduler.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.prescale.adapter.api.HealthCheck;
import io.prescale.adapter.server.ListeningContext;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.controller.scheduler.moves.MoveSettings;
import io.prescale.controller.scheduler.queues.QueueRows;
import io.prescale.controller.scheduler.warm.WarmSettings;
import io.prescale.controller.web.GpuPage;
import io.prescale.controller.web.GpusView.Query;
import io.prescale.controller.web.GpusView.Show;
import io.prescale.controller.web.live.ExtenderCards;
import io.prescale.placement.claims.ClaimLedger;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.ledger.HandOvers;
import io.prescale.placement.ledger.Ledger;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExtenderServerTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-21T12:00:00Z"));
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final KubernetesClient NOBODY =
      new KubernetesClientBuilder()
          .withConfig(new ConfigBuilder().withMasterUrl("http://127.0.0.1:1").build())
          .build();

  private final Ledger ledger = new Ledger(10);
  private final AtomicReference<Optional<String>> missing = new AtomicReference<>(Optional.empty());
  private final HttpClient client = HttpClient.newHttpClient();

  @SuppressWarnings("NullAway.Init")
  private ListeningContext server;

  @BeforeEach
  void start() throws IOException {
    var committer =
        new Committer(
            ledger,
            new HandOvers(() -> 0, SECOND),
            new NodeLocks(NOBODY, ledger, CLOCK),
            new FakeBinder(),
            CLOCK,
            Duration.ZERO,
            (_, _) -> Map.of());
    var metrics =
        new ExtenderMetrics(
            ledger,
            new ClaimLedger(),
            new UsageMetrics(ledger::uses, Map::of, _ -> Optional.empty()),
            Map::of,
            () -> missing.get().isEmpty(),
            CLOCK);
    server =
        ExtenderHttp.start(
            "test",
            settings(0),
            List.of(
                new ExtenderAnswers(
                    new ExtenderApi(
                        ledger,
                        committer,
                        QueueSource.PRESCALE,
                        CLOCK,
                        new PreemptVerb(ledger, Set::of, _ -> List.of()),
                        10),
                    metrics,
                    missing::get,
                    ledger::problems,
                    new CardPages(
                        ledger, Map::of, _ -> Optional.empty(), () -> QueueRows.NONE, List::of)),
                new HealthCheck("cluster", missing::get)));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static ExtenderSettings settings(int port) {
    return new ExtenderSettings(
        "127.0.0.1",
        port,
        OptionalInt.of(0),
        Optional.empty(),
        false,
        10,
        SECOND,
        SECOND,
        Optional.empty(),
        false,
        Optional.empty(),
        QueueSource.PRESCALE,
        MoveSettings.OFF,
        Optional.empty(),
        WarmSettings.OFF,
        Optional.empty());
  }

  @Test
  void answersOnlyPostsOfExtenderRequests() throws Exception {
    assertThat(get("/filter").statusCode()).isEqualTo(405);
    assertThat(post("/filter", "nonsense").statusCode()).isEqualTo(400);
    assertThat(post("/filter", "{}").body()).isEqualTo("Pod is missing\n");
    assertThat(post("/unknown", "{}").statusCode()).isEqualTo(404);
    var bind = post("/bind", "{\"PodUID\":\"u\",\"Node\":\"n\"}");
    assertThat(bind.statusCode()).isEqualTo(200);
    assertThat(bind.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(bind.body()).isEqualTo("{\"Error\":\"there is no waiting pod with UID u\"}");
  }

  @Test
  void answersNobodyBeforeItKnowsTheCluster() throws Exception {
    missing.set(Optional.of("the pods cannot be watched: forbidden"));

    assertThat(get("/metrics").body()).contains("prescale_extender_answering 0.0\n");
    assertThat(post("/filter", "{}").statusCode()).isEqualTo(503);
    assertThat(post("/filter", "{}").body()).isEqualTo("the pods cannot be watched: forbidden\n");
    assertThat(get("/health/readiness").statusCode()).isEqualTo(503);
    assertThat(get("/health/readiness").body()).contains("the pods cannot be watched: forbidden");
    assertThat(get("/health/liveness").statusCode()).isEqualTo(200);
    missing.set(Optional.empty());
    assertThat(get("/health/readiness").statusCode()).isEqualTo(200);
  }

  @Test
  void whoeverSendsSlowlyKeepsNobodyElseWaiting() throws Exception {
    int open = server.port(StatusPages.OPEN_LISTENER);
    try (var slow = new Socket(InetAddress.getLoopbackAddress(), open)) {
      slow.getOutputStream().write('G');
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + open + "/health/liveness"))
              .timeout(Duration.ofSeconds(30))
              .build();

      assertThat(client.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void showsProblemsAndSums() throws Exception {
    ledger.seen(Nodes.a100("n", 2, Map.of("hami.io/device-cordon", "GPU-x")));

    assertThat(get("/problems").body())
        .contains("\"n\"", "names \\\"GPU-x\\\", which the node does not have.");
    post("/filter", "{}");
    assertThat(get("/metrics").body())
        .contains("prescale_gpu_cards 2.0", "prescale_gpu_memory_mebibytes 163840.0")
        .contains("prescale_gpu_inventory_problems 1.0")
        .contains("prescale_extender_seconds_count{verb=\"filter\",} 1.0");
  }

  /** The answer to a HEAD has no stream that would be closed. */
  @Test
  void askingForTheHeadOfTheMetricsTakesNoPlace() throws Exception {
    int port = server.port(StatusPages.OPEN_LISTENER);
    var head = request(port, "/metrics").HEAD().build();
    for (int i = 0; i < 9; i++) {
      assertThat(client.send(head, BodyHandlers.discarding()).statusCode()).isNotEqualTo(429);
    }
    assertThat(get(port, "/metrics").statusCode()).isEqualTo(200);
  }

  @Test
  void whoeverMayNotDecideReadsThePagesOnAPortOfTheirOwn() throws Exception {
    int port = server.port(StatusPages.OPEN_LISTENER);

    assertThat(get(port, "/metrics").body()).contains("prescale_gpu_cards 0.0");
    assertThat(get(port, "/health/readiness").statusCode()).isEqualTo(200);
    assertThat(get(port, "/filter").statusCode()).isEqualTo(404);
    assertThat(get(port, "/bind").statusCode()).isEqualTo(404);
  }

  @Test
  void tellsItsCardsToThePageThatAsks() throws Exception {
    ledger.seen(Nodes.a100("n", 2, Map.of("hami.io/device-cordon", "GPU-n-1")));
    int port = server.port(StatusPages.OPEN_LISTENER);

    try (var page = new ExtenderCards(URI.create("http://127.0.0.1:" + port))) {
      var shown = page.gpus(new Query(Show.SICK, 0, 24));
      assertThat(shown.totals().cards()).isEqualTo(2);
      assertThat(shown.nodes()).extracting(GpuPage.Node::name).containsExactly("n");
      assertThat(shown.nodes().getFirst().cards().getLast().health()).isEqualTo("CORDONED");
      assertThat(page.gpus(new Query(Show.BUSY, 0, 24)).nodes()).isEmpty();
    }
    assertThat(get(port, "/cards?show=none").statusCode()).isEqualTo(400);
    assertThat(get(port, "/cards?show=none").body())
        .isEqualTo("show must be all, busy, fragmented or sick.\n");
    assertThat(get("/cards?limit=1000").statusCode()).isEqualTo(400);
  }

  @Test
  void refusesSettingsThatMakeNoSense() {
    assertThatThrownBy(() -> settings(70_000)).hasMessage("the port is 70000; give 0 to 65535");
    assertThatThrownBy(
            () ->
                new ExtenderSettings(
                    "h",
                    0,
                    OptionalInt.empty(),
                    Optional.empty(),
                    false,
                    11,
                    SECOND,
                    SECOND,
                    Optional.empty(),
                    false,
                    Optional.empty(),
                    QueueSource.PRESCALE,
                    MoveSettings.OFF,
                    Optional.empty(),
                    WarmSettings.OFF,
                    Optional.empty()))
        .hasMessage("11 candidates; give 1 to 10");
    assertThatThrownBy(
            () ->
                new ExtenderSettings(
                    "h",
                    0,
                    OptionalInt.empty(),
                    Optional.empty(),
                    false,
                    1,
                    SECOND,
                    Duration.ZERO,
                    Optional.empty(),
                    false,
                    Optional.empty(),
                    QueueSource.PRESCALE,
                    MoveSettings.OFF,
                    Optional.empty(),
                    WarmSettings.OFF,
                    Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return get(server.port(ExtenderController.LISTENER), path);
  }

  private HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
    return client.send(request(port, path).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String path, String body)
      throws IOException, InterruptedException {
    return client.send(
        request(server.port(ExtenderController.LISTENER), path)
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(int port, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)));
  }

  /** As many bindings may wait for their turns in a burst of pods. */
  @Test
  void threeHundredRequestsAtOnceKeepTheirConnections() throws IOException {
    var requests = new ArrayList<PlainConnection>();
    for (int i = 0; i < 300; i++) {
      requests.add(PlainConnection.to(server.port(ExtenderController.LISTENER)));
      requests.getLast().socket().getOutputStream().write('P');
    }
    requests.getFirst().socket().setSoTimeout(500);
    assertThatThrownBy(requests.getFirst().in()::read).isInstanceOf(SocketTimeoutException.class);
    for (var each : requests) {
      each.close();
    }
  }
}
