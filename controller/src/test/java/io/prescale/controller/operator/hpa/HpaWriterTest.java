package io.prescale.controller.operator.hpa;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient
@NullUnmarked // the extension sets the client and the server
class HpaWriterTest {
  private static final String PATH =
      "/apis/autoscaling/v2/namespaces/team/horizontalpodautoscalers/prescale-chat";

  private static final String APPLY = PATH + "?fieldManager=prescale&force=true";

  private KubernetesClient client;
  private KubernetesMockServer server;

  @Test
  void deletesOnlyTheVersionThatItKnows() throws Exception {
    server.expect().delete().withPath(PATH).andReturn(200, "{}").once();

    new HpaWriter(client).write(new HpaPlan.Delete(hpa("7")));

    var options = new ObjectMapper().readTree(server.takeRequest().getBody().readUtf8());
    assertThat(options.at("/preconditions/resourceVersion").asText()).isEqualTo("7");
  }

  /** So that what a former leader sent late changes nothing that the next one has written. */
  @Test
  void appliesToTheVersionThatWasSeenOnly() throws Exception {
    server.expect().patch().withPath(APPLY).andReturn(200, hpa("8")).always();

    new HpaWriter(client).write(new HpaPlan.Apply(hpa(null), Optional.of("7")));
    assertThat(version(server.takeRequest())).isEqualTo("7");
    new HpaWriter(client).write(new HpaPlan.Apply(hpa(null), Optional.empty()));
    assertThat(version(server.takeRequest())).as("there was none").isEmpty();
  }

  private static String version(RecordedRequest request) throws JsonProcessingException {
    var applied = new ObjectMapper().readTree(request.getBody().readUtf8());
    return applied.at("/metadata/resourceVersion").asText();
  }

  private static HorizontalPodAutoscaler hpa(@Nullable String version) {
    return new HorizontalPodAutoscalerBuilder()
        .withNewMetadata()
        .withNamespace("team")
        .withName("prescale-chat")
        .withResourceVersion(version)
        .endMetadata()
        .build();
  }
}
