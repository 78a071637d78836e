package io.prescale.controller.operator.hpa;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient
@NullUnmarked // the extension sets the client and the server
class HpaWriterTest {
  private static final String PATH =
      "/apis/autoscaling/v2/namespaces/team/horizontalpodautoscalers/prescale-chat";

  private KubernetesClient client;
  private KubernetesMockServer server;

  @Test
  void deletesOnlyTheVersionThatItKnows() throws Exception {
    server.expect().delete().withPath(PATH).andReturn(200, "{}").once();
    var ours =
        new HorizontalPodAutoscalerBuilder()
            .withNewMetadata()
            .withNamespace("team")
            .withName("prescale-chat")
            .withResourceVersion("7")
            .endMetadata()
            .build();

    new HpaWriter(client).write(new HpaPlan.Delete(ours));

    var options = new ObjectMapper().readTree(server.takeRequest().getBody().readUtf8());
    assertThat(options.at("/preconditions/resourceVersion").asText()).isEqualTo("7");
  }
}
