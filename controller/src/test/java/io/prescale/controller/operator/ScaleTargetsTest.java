package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.APIResourceBuilder;
import io.fabric8.kubernetes.api.model.APIResourceListBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v1.ScaleBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v2.CrossVersionObjectReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.operator.ScaleTargets.Found;
import io.prescale.controller.operator.ScaleTargets.NotScalable;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Anything that has a scale subresource. */
@MockApi
@NullUnmarked // the extension sets client and server
class ScaleTargetsTest {
  private static final CrossVersionObjectReference SET =
      new CrossVersionObjectReference("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "llm");
  private static final String SCALE =
      "/apis/leaderworkerset.x-k8s.io/v1/namespaces/team/leaderworkersets/llm/scale";

  private KubernetesClient client;
  private KubernetesMockServer server;
  private volatile Instant now = Instant.EPOCH;

  @Test
  void readsTheScaleOfACustomResource() {
    define("leaderworkersets", "leaderworkersets/scale");
    var scale = new ScaleBuilder().withNewSpec(3).withNewStatus(2, "app=llm").build();
    server.expect().get().withPath(SCALE).andReturn(200, scale).once();

    assertThat(scales().read("team", SET)).isEqualTo(new Found(3, 2, "app=llm"));
  }

  @Test
  void saysWhatCannotBeScaledAndHowToGoOn() {
    var scales = scales();
    assertThat(scales.read("team", SET))
        .isEqualTo(
            new NotScalable(
                true,
                "There is no kind LeaderWorkerSet with a scale subresource in"
                    + " leaderworkerset.x-k8s.io/v1; correct spec.scaleTargetRef."));
    define("leaderworkersets", "leaderworkersets/scale");
    now = now.plusSeconds(31);
    assertThat(scales.read("team", SET))
        .isEqualTo(
            new NotScalable(
                false,
                "There is no LeaderWorkerSet llm in namespace team; create it, or correct"
                    + " spec.scaleTargetRef."));
  }

  @Test
  void saysWhatToNameInsteadOfWhatAServingPlatformScalesItself() {
    assertThat(refused("serving.kserve.io/v1beta1", "InferenceService"))
        .isEqualTo(
            "InferenceService llm has no scale subresource; in KServe's Standard (RawDeployment)"
                + " mode name its Deployment, llm-predictor, and annotate the InferenceService with"
                + " serving.kserve.io/autoscalerClass: external, so that KServe makes no HPA.");
    assertThat(refused("serving.kserve.io/v1alpha2", "LLMInferenceService"))
        .contains("name its Deployment, llm-kserve,");
    assertThat(refused("ray.io/v1", "RayService")).startsWith("Ray's own autoscaler decides");
    assertThat(refused("serving.knative.dev/v1", "Service"))
        .startsWith("Knative scales Service llm with an autoscaler of its own");
  }

  @Test
  void leavesTheDeploymentOfAKnativeRevisionAlone() {
    define("leaderworkersets", "leaderworkersets/scale");
    var scale =
        new ScaleBuilder()
            .withNewSpec(3)
            .withNewStatus(2, "serving.knative.dev/revisionUID=6a1f")
            .build();
    server.expect().get().withPath(SCALE).andReturn(200, scale).once();

    assertThat(scales().read("team", SET))
        .isEqualTo(
            new NotScalable(
                true,
                "Knative scales LeaderWorkerSet llm with an autoscaler of its own, and Prescale"
                    + " leaves it alone; delete this PredictiveHPA, or serve from a Deployment."));
  }

  private String refused(String version, String kind) {
    var target = new CrossVersionObjectReference(version, kind, "llm");
    return ((NotScalable) scales().read("team", target)).message();
  }

  @Test
  void discoversAKindOnceAndAMissingOneAgainAfterHalfAMinute() {
    var scales = scales();
    for (int object = 0; object < 100; object++) {
      scales.read("team-" + object, SET);
    }
    assertThat(server.getRequestCount()).isOne();

    define("leaderworkersets", "leaderworkersets/scale");
    now = now.plusSeconds(31);
    for (int object = 0; object < 100; object++) {
      scales.read("team-" + object, SET);
    }
    assertThat(server.getRequestCount()).as("once more, and 100 scales").isEqualTo(1 + 1 + 100);
  }

  @Test
  void saysThatItMayNotReadTheScale() {
    define("leaderworkersets", "leaderworkersets/scale");
    var status = new StatusBuilder().withCode(403).withMessage("no such right").build();
    server.expect().get().withPath(SCALE).andReturn(403, status).once();

    assertThat(scales().read("team", SET))
        .isEqualTo(
            new NotScalable(
                true,
                "Prescale may not read the scale of LeaderWorkerSet llm; allow it to get that"
                    + " subresource (no such right)."));
  }

  private ScaleTargets scales() {
    return new ScaleTargets(client, () -> now);
  }

  private void define(String... names) {
    var list = new APIResourceListBuilder();
    for (String name : names) {
      list.addToResources(
          new APIResourceBuilder()
              .withName(name)
              .withKind(name.contains("/") ? "Scale" : "LeaderWorkerSet")
              .build());
    }
    server
        .expect()
        .get()
        .withPath("/apis/leaderworkerset.x-k8s.io/v1")
        .andReturn(200, list.build())
        .always();
  }
}
