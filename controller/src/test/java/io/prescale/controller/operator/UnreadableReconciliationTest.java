package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The leader with a PredictiveHPA that cannot be read, seen from the API server. */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client and the server
class UnreadableReconciliationTest {
  private KubernetesClient client;
  private KubernetesMockServer server;
  private ReconcilingInMock term;

  @BeforeEach
  void create() {
    term = new ReconcilingInMock(client, Optional.empty(), new MemoryBudget(1L << 30), () -> {});
  }

  @AfterEach
  void close() {
    term.close();
  }

  @Test
  void itGetsAConditionAndOthersAreReconciled() {
    term.put("bad", "''");
    term.put("good", "4");
    term.begin();

    assertThat(term.notReady("bad"))
        .isEqualTo(
            "spec.metrics[0].target.averageValue is \"\", which cannot be read; write it as"
                + " `kubectl explain phpa.spec.metrics.target.averageValue` says");
    assertThat(term.notReady("good")).startsWith("There is no Prometheus to ask");
    assertThat(term.stored("bad").<Object>get("spec", "maxReplicas")).isEqualTo(9);

    term.put("bad", "4");
    await().until(() -> term.notReady("bad").startsWith("There is no Prometheus to ask"));
  }

  /** Its first tick finds that its Prometheus is not there; then an edit makes it unreadable. */
  @Test
  void itsGaugesGoAtOnce() throws Exception {
    ScaleOfChat.answeredBy(server, () -> {});
    var absent = PrometheusServer.at(URI.create("http://127.0.0.1:1"));
    try (var ticking =
        new ReconcilingInMock(client, Optional.of(absent), new MemoryBudget(1L << 30), () -> {})) {
      ticking.put("chat", "4");
      ticking.begin();
      await().until(() -> ticking.metrics().contains("prescale_breaker_state{"));
      assertThat(ticking.metrics()).contains("prescale_blocked_targets 0.0");

      ticking.put("chat", "''", "mode: Shadow", 2);

      await().until(() -> ticking.metrics().contains("prescale_blocked_targets 1.0"));
      assertThat(ticking.metrics())
          .contains("prescale_targets 0.0", "prescale_ticks_total{")
          .doesNotContain("prescale_breaker_state{", "prescale_lead_time_seconds{");

      ticking.put("chat", "4", "mode: Shadow", 3);

      await().until(() -> ticking.metrics().contains("prescale_breaker_state{"));
    }
  }

  @Test
  void itsDeletionGivesTheHpaBackAndEnds() {
    var bad = term.put("bad", "''");
    var hpas = client.autoscaling().v2().horizontalPodAutoscalers().inNamespace("team");
    hpas.resource(
            new HorizontalPodAutoscalerBuilder()
                .withNewMetadata()
                .withName("prescale-bad")
                .addNewOwnerReference()
                .withKind("PredictiveHPA")
                .withName("bad")
                .withUid(bad.getMetadata().getUid())
                .endOwnerReference()
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .build())
        .create();
    term.objects().withName("bad").delete();
    term.begin();

    await().until(() -> hpas.withName("prescale-bad").get() == null);
    await().until(() -> term.objects().withName("bad").get() == null);
  }
}
