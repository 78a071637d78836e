package io.prescale.controller.scheduler.warm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.scheduler.warm.WarmWriter.Outcome;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What the API server's answers mean. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class WarmWriterTest {
  private static final String PODS = "/api/v1/namespaces/models/pods";

  private KubernetesMockServer server;
  private KubernetesClient client;

  private static Pod pod() {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("models")
        .withName("pulls")
        .endMetadata()
        .withNewSpec()
        .addNewVolume()
        .withName("image-0")
        .withNewImage()
        .withReference("model:1")
        .endImage()
        .endVolume()
        .endSpec()
        .build();
  }

  private Outcome answered(int code, Object body) {
    server.expect().post().withPath(PODS).andReturn(code, body).once();
    return new WarmWriter(client).create(pod());
  }

  @Test
  void aPodThatHasAllItsImagesIsCreated() {
    assertThat(answered(201, pod())).isInstanceOf(Outcome.Created.class);
  }

  /** As an API server without image volumes makes it. */
  @Test
  void aPodThatHasLostItsImagesIsDeletedAndRefused() throws Exception {
    var without = new PodBuilder(pod()).editSpec().withVolumes().endSpec().build();
    server.expect().delete().withPath(PODS + "/pulls").andReturn(200, without).once();

    assertThat(answered(201, without))
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            it -> assertThat(it.sentence()).contains("serves no image volumes"));
    assertThat(server.getLastRequest().getMethod()).isEqualTo("DELETE");
  }

  @Test
  void whatAPolicyForbidsIsRefusedInItsWords() {
    var status = new StatusBuilder().withCode(403).withMessage("denied: mounts images").build();

    assertThat(answered(403, status))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, it -> assertThat(it.sentence()).contains("mounts images"));
  }

  @Test
  void aPodThatIsThereAlreadyIsLookedAtAgain() {
    assertThat(answered(409, new StatusBuilder().withCode(409).build()))
        .isInstanceOf(Outcome.Unclear.class);
  }
}
