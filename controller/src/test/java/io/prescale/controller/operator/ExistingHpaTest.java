package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A PredictiveHPA that scales through an HPA of the user's, from its beginning to its end. */
@MockApi(crud = true)
@NullUnmarked // the extension sets client and server
class ExistingHpaTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String THROUGH_EXISTING = "{mode: Active, scaleThrough: ExistingHPA}";

  private KubernetesClient client;
  private KubernetesMockServer server;

  @BeforeEach
  void answerScale() {
    ScaleOfChat.answeredBy(server, () -> {});
  }

  @Test
  void itIsFoundFollowedAndNeverWritten() {
    try (var term = term()) {
      put(term, THROUGH_EXISTING);
      term.begin();
      await()
          .atMost(PATIENCE)
          .until(
              () -> scaling(term),
              it ->
                  it.startsWith("HpaNotReading: No HorizontalPodAutoscaler scales Deployment/chat;")
                      && it.contains("selector: {matchLabels: {predictivehpa: chat}}"));

      var written = hpas().resource(inGit()).create();
      await()
          .atMost(PATIENCE)
          .until(() -> scaling(term), it -> it.startsWith("HpaPending: No value"));

      put(term, "{mode: Shadow, scaleThrough: ExistingHPA}");
      await().atMost(PATIENCE).until(() -> scaling(term), it -> it.startsWith("ShadowMode"));
      put(term, THROUGH_EXISTING);
      await().atMost(PATIENCE).until(() -> scaling(term), it -> it.startsWith("HpaPending"));
      term.objects().withName("chat").delete();
      await().atMost(PATIENCE).until(() -> term.stored("chat") == null);

      assertThat(hpas().list().getItems()).containsExactly(written);
    }
  }

  @Test
  void ourOwnHpaMakesRoomForIt() {
    try (var term = term()) {
      var chat = put(term, THROUGH_EXISTING);
      var ours = inGit();
      ours.getMetadata().setName("prescale-chat");
      ours.getMetadata()
          .setOwnerReferences(List.of(SpecReader.wish(PredictiveHpas.chat()).owner()));
      ours.getMetadata().getOwnerReferences().getFirst().setUid(chat);
      hpas().resource(ours).create();
      hpas().resource(inGit()).create();
      term.begin();

      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  hpas().list().getItems().stream().map(it -> it.getMetadata().getName()).toList(),
              List.of("in-git")::equals);
    }
  }

  private ReconcilingInMock term() {
    return new ReconcilingInMock(
        client,
        Optional.of(PrometheusServer.at(URI.create("http://127.0.0.1:1"))),
        new MemoryBudget(1L << 30),
        () -> {});
  }

  /** Creates or changes the PredictiveHPA; gives its UID. */
  private static String put(ReconcilingInMock term, String inFlowStyle) {
    var lines = inFlowStyle.replace("{", "").replace("}", "").replace(", ", "\n  ");
    return term.put("chat", "4", lines).getMetadata().getUid();
  }

  /** The newest: the mock server's merge appends conditions. */
  private static String scaling(ReconcilingInMock term) {
    var conditions = term.stored("chat").<Object>get("status", "conditions");
    return conditions instanceof List<?> list
        ? list.stream()
            .map(it -> (Map<?, ?>) it)
            .filter(it -> Objects.equals(it.get("type"), "ScalingActive"))
            .map(it -> it.get("reason") + ": " + it.get("message"))
            .reduce("", (_, later) -> later)
        : "";
  }

  private NonNamespaceOperation<
          HorizontalPodAutoscaler, HorizontalPodAutoscalerList, Resource<HorizontalPodAutoscaler>>
      hpas() {
    return client.autoscaling().v2().horizontalPodAutoscalers().inNamespace("team");
  }

  private HorizontalPodAutoscaler inGit() {
    return client
        .getKubernetesSerialization()
        .unmarshal(
            """
            apiVersion: autoscaling/v2
            kind: HorizontalPodAutoscaler
            metadata: {namespace: team, name: in-git}
            spec:
              scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}
              minReplicas: 2
              maxReplicas: 7
              metrics:
              - type: External
                external:
                  metric: {name: load, selector: {matchLabels: {predictivehpa: chat}}}
                  target: {type: AverageValue, averageValue: "4"}
            """,
            HorizontalPodAutoscaler.class);
  }
}
