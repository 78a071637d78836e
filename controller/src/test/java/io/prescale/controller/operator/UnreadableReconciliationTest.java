package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The leader with a PredictiveHPA that cannot be read, seen from the API server. */
@EnableKubernetesMockClient(crud = true)
@NullUnmarked // the extension sets the client and the server
class UnreadableReconciliationTest {
  private KubernetesClient client;
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
