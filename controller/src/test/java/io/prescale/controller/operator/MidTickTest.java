package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.prescale.controller.MockApi;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What changes between a tick's first read and its last write. */
@MockApi(crud = true)
@Timeout(180)
@NullUnmarked // the extension sets client and server
class MidTickTest {
  private static final String STATUS =
      "/apis/autoscaling.prescale.io/v1alpha1/namespaces/team/predictivehpas/chat/status?fieldManager=prescale&force=true";

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final AtomicBoolean leads = new AtomicBoolean(true);
  private KubernetesClient client;
  private KubernetesMockServer server;

  @Test
  void anEditStandsAndIsWhatTheNextStatusIsAbout() {
    try (var term = term()) {
      term.put("chat", "4");
      term.beforeTheNextWrite(() -> term.put("chat", "7", "mode: Shadow", 2));
      term.begin();

      await().atMost(PATIENCE).until(() -> generationOfTheStatus(term) == 2);
      assertThat(spec(term).at("/metrics/0/target/averageValue").asInt()).isEqualTo(7);
    }
  }

  @Test
  void oneThatIsDeletedIsNotMadeAgain() {
    try (var term = term()) {
      term.put("chat", "4");
      term.beforeTheNextWrite(() -> term.objects().withName("chat").delete());
      term.begin();

      await().atMost(PATIENCE).until(() -> term.stored("chat") == null);
      term.put("other", "4");
      assertThat(term.notReady("other")).isNotEmpty();
      assertThat(term.stored("chat")).isNull();
    }
  }

  @Test
  void aStatusThatMeetsAnotherWriterEachTimeIsWrittenInTheEnd() throws Exception {
    answerConflicts(3, () -> {});
    try (var term = term()) {
      term.put("chat", "4");
      term.begin();

      assertThat(term.notReady("chat")).isNotEmpty();
      assertThat(spec(term).at("/metrics/0/target/averageValue").asInt()).isEqualTo(4);
    }
    assertThat(statusesWritten()).hasSizeGreaterThanOrEqualTo(4);
  }

  /**
   * A write that was on its way when the lease ended, and is refused: another leader came first.
   */
  @Test
  void aLateStatusNamesTheVersionThatWasSeenAndIsNotRepeated() throws Exception {
    answerConflicts(1, () -> leads.set(false));
    String seen;
    try (var term = term()) {
      seen = term.put("chat", "4").getMetadata().getResourceVersion();
      term.begin();
      await().atMost(PATIENCE).until(() -> !leads.get());
    }

    assertThat(statusesWritten())
        .singleElement()
        .satisfies(it -> assertThat(it.at("/metadata/resourceVersion").asText()).isEqualTo(seen));
  }

  private ReconcilingInMock term() {
    ScaleOfChat.answeredBy(server, () -> {});
    return new ReconcilingInMock(
        client,
        Set.of(),
        Optional.of(PrometheusServer.at(URI.create("http://127.0.0.1:1"))),
        new MemoryBudget(1L << 30),
        Duty.all(leads::get),
        TenantLimits.defaults().objectsPerNamespace(),
        () -> {});
  }

  private void answerConflicts(int times, Runnable then) {
    var conflict = new StatusBuilder().withCode(409).withReason("Conflict").build();
    server
        .expect()
        .patch()
        .withPath(STATUS)
        .andReply(
            409,
            _ -> {
              then.run();
              return conflict;
            })
        .times(times);
  }

  private List<JsonNode> statusesWritten() throws Exception {
    var all = new ArrayList<JsonNode>();
    for (RecordedRequest it = next(); it != null; it = next()) {
      if (it.getMethod().equals("PATCH") && it.getPath().equals(STATUS)) {
        all.add(new ObjectMapper().readTree(it.getBody().readUtf8()));
      }
    }
    return all;
  }

  private RecordedRequest next() throws InterruptedException {
    return server.takeRequest(1, TimeUnit.SECONDS);
  }

  private long generationOfTheStatus(ReconcilingInMock term) {
    var json = new ObjectMapper().valueToTree(term.stored("chat"));
    return json.at("/status/observedGeneration").asLong();
  }

  private JsonNode spec(ReconcilingInMock term) {
    return new ObjectMapper().<JsonNode>valueToTree(term.stored("chat")).at("/spec");
  }
}
