package io.prescale.controller.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.adapter.Answer;
import io.prescale.adapter.LabelSelector;
import io.prescale.adapter.MetricKey;
import io.prescale.adapter.MetricReadModel;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.operator.PredictiveHpas;
import io.prescale.controller.values.PublishedValues;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One PredictiveHPA that cannot be read, among others that can. */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client
class UnreadableObjectsTest {
  private static final ResourceDefinitionContext KIND =
      ResourceDefinitionContext.fromResourceType(PredictiveHPA.class);

  private final MetricReadModel model = new MetricReadModel();
  private KubernetesClient client;
  private StatusProjection projection;

  @BeforeEach
  void create() {
    projection =
        StatusProjection.of(
            client,
            Set.of(),
            model,
            new PublishedValues(client, "prescale", InstantSource.fixed(PredictiveHpas.NOON)),
            List.of(),
            InstantSource.fixed(PredictiveHpas.NOON));
  }

  @AfterEach
  void close() {
    projection.close();
  }

  @Test
  void aListWithOneIsReadAndServed() {
    put("bad", "''", "3");
    put("good", "4", "12");
    projection.start();

    await().until(() -> projection.fault().isEmpty());
    await().until(() -> milli("good") == 12_000);
  }

  @Test
  void anEventWithOneStopsNoOther() {
    put("good", "4", "12");
    projection.start();
    await().until(() -> milli("good") == 12_000);

    put("bad", "''", "3");
    put("good", "4", "13");

    await().until(() -> milli("good") == 13_000);
    assertThat(projection.fault()).isEmpty();
  }

  @Test
  void itsOwnValueAgesWithTheReasonAndReturnsWhenItIsMended() {
    put("chat", "4", "12");
    projection.start();
    await().until(() -> milli("chat") == 12_000);

    put("chat", "''", "12");
    await()
        .until(
            () ->
                read("chat", 901) instanceof Answer.Unknown unknown
                    && unknown.reason().contains("averageValue is \"\", which cannot be read"));
    assertThat(milli("chat")).isEqualTo(12_000);

    put("chat", "5", "14");
    await().until(() -> milli("chat") == 14_000);
    delete("chat");
    await().until(() -> read("chat", 0) instanceof Answer.Absent);
  }

  private void put(String name, String averageValue, String served) {
    var manifest =
        """
        apiVersion: autoscaling.prescale.io/v1alpha1
        kind: PredictiveHPA
        metadata: {namespace: team, name: %1$s}
        spec:
          scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}
          maxReplicas: 9
          metrics: [{name: %1$s, preset: vllm, target: {averageValue: %2$s}}]
        status:
          metrics:
          - {name: %1$s, served: "%3$s", servedAt: "%4$s", freshSeconds: 120, ttlSeconds: 900}
        """
            .formatted(name, averageValue, served, PredictiveHpas.NOON);
    var resource =
        client.getKubernetesSerialization().unmarshal(manifest, GenericKubernetesResource.class);
    client
        .genericKubernetesResources(KIND)
        .inNamespace("team")
        .resource(resource)
        .createOr(it -> it.update());
  }

  private void delete(String name) {
    client.genericKubernetesResources(KIND).inNamespace("team").withName(name).delete();
  }

  private long milli(String metric) {
    return read(metric, 0) instanceof Answer.Fresh fresh
        ? fresh.items().getFirst().milliValue()
        : -1;
  }

  private Answer read(String metric, int seconds) {
    return model.read(
        new MetricKey("team", metric),
        LabelSelector.everything(),
        PredictiveHpas.NOON.plusSeconds(seconds));
  }
}
