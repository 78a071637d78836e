package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.APIResourceBuilder;
import io.fabric8.kubernetes.api.model.APIResourceListBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v1.ScaleBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v2.CrossVersionObjectReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.operator.ScaleTargets.Found;
import io.prescale.controller.operator.ScaleTargets.NotScalable;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Anything that has a scale subresource. */
@EnableKubernetesMockClient
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
