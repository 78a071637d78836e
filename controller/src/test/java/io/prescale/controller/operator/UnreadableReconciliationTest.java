package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.demand.prometheus.AllowedServers;
import io.prescale.controller.demand.source.PrometheusSource;
import io.prescale.controller.demand.source.SourceSettings;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.controller.operator.hpa.HpaPlanner;
import io.prescale.controller.telemetry.Telemetry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The leader with a PredictiveHPA that cannot be read, seen from the API server. */
@EnableKubernetesMockClient(crud = true)
@NullUnmarked // the extension sets the client and the server
class UnreadableReconciliationTest {
  private static final ResourceDefinitionContext KIND =
      ResourceDefinitionContext.fromResourceType(PredictiveHPA.class);

  private static final class ApplyAsMerge implements Interceptor {
    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
      if (String.valueOf(request.uri().getQuery()).contains("fieldManager")
          && builder instanceof HttpRequest.Builder rewritten) {
        rewritten.patch("application/merge-patch+json", request.bodyString());
      }
    }
  }

  private final FitQueue fits = new FitQueue(1);
  private KubernetesClient client;
  private KubernetesClient applying;
  private PrometheusSource source;
  private ReconcilingTerm term;
  private NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      objects;

  @BeforeEach
  void create() {
    objects = client.genericKubernetesResources(KIND).inNamespace("team");
    // The mock server knows no server-side apply, which is a merge as long as fields are added.
    applying =
        new KubernetesClientBuilder()
            .withConfig(client.getConfiguration())
            .withHttpClientBuilderConsumer(
                http -> http.addOrReplaceInterceptor("apply", new ApplyAsMerge()))
            .build();
    source = new PrometheusSource(SourceSettings.defaults(), new SplittableRandom(1));
    var features = new HpaFeatures(true);
    var telemetry = new Telemetry(Clock.systemUTC());
    var targets =
        new LiveTargets(
            features,
            new PrometheusServers(client, Optional::empty, AllowedServers.of(List.of()), false),
            source,
            fits,
            Duration.ofSeconds(10),
            new MemoryBudget(1L << 30));
    var planner = new HpaPlanner(features, client.getKubernetesSerialization());
    term =
        new ReconcilingTerm(
            applying,
            Set.of(),
            telemetry,
            new PredictiveHpaReconciler(
                applying, () -> true, Clock.systemUTC(), targets, planner, telemetry),
            () -> {});
  }

  @AfterEach
  void close() {
    term.end();
    source.close();
    applying.close();
    fits.close();
  }

  @Test
  void itGetsAConditionAndOthersAreReconciled() {
    put("bad", "''");
    put("good", "4");
    term.begin();

    assertThat(notReady("bad"))
        .isEqualTo(
            "spec.metrics[0].target.averageValue is \"\", which cannot be read; write it as"
                + " `kubectl explain phpa.spec.metrics.target.averageValue` says");
    assertThat(notReady("good")).startsWith("There is no Prometheus to ask");
    assertThat(stored("bad").<Object>get("spec", "maxReplicas")).isEqualTo(9);

    put("bad", "4");
    await().until(() -> notReady("bad").startsWith("There is no Prometheus to ask"));
  }

  @Test
  void itsDeletionGivesTheHpaBackAndEnds() {
    var bad = put("bad", "''");
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
    objects.withName("bad").delete();
    term.begin();

    await().until(() -> hpas.withName("prescale-bad").get() == null);
    await().until(() -> objects.withName("bad").get() == null);
  }

  /** Why an object is not ready, as its status says. */
  private String notReady(String name) {
    var status =
        await()
            .until(
                () -> stored(name).<Object>get("status", "conditions"),
                conditions -> conditions instanceof List<?> list && !list.isEmpty());
    return client
        .getKubernetesSerialization()
        .convertValue(Map.of("conditions", status), PredictiveHPAStatus.class)
        .conditions()
        .stream()
        .filter(condition -> condition.status() == ConditionStatus.False)
        .map(StatusCondition::message)
        .findFirst()
        .orElse("");
  }

  private GenericKubernetesResource stored(String name) {
    return objects.withName(name).get();
  }

  private GenericKubernetesResource put(String name, String averageValue) {
    var manifest =
        """
        apiVersion: autoscaling.prescale.io/v1alpha1
        kind: PredictiveHPA
        metadata: {namespace: team, name: %s, generation: 1, finalizers: [%s]}
        spec:
          scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}
          maxReplicas: 9
          metrics: [{name: load, preset: vllm, target: {averageValue: %s}}]
        """
            .formatted(name, PredictiveHpaReconciler.FINALIZER, averageValue);
    var resource =
        client.getKubernetesSerialization().unmarshal(manifest, GenericKubernetesResource.class);
    return objects.resource(resource).createOr(NonDeletingOperation::update);
  }
}
