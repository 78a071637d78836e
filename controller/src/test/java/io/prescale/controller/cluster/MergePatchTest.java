package io.prescale.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** The chart's roles allow the patch of what is only named, and not to get it. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class MergePatchTest {
  private static final String PATCH = "{\"metadata\":{\"annotations\":{\"a\":null}}}";

  private KubernetesClient client;
  private KubernetesMockServer server;

  @Test
  void anObjectOfANamespaceIsPatchedWithoutBeingRead() throws InterruptedException {
    var path = "/api/v1/namespaces/team/configmaps/values";
    var answer =
        new ConfigMapBuilder().withNewMetadata().withResourceVersion("8").endMetadata().build();
    server.expect().patch().withPath(path).andReturn(200, answer).once();

    var sent = MergePatch.send(client, MergePatch.named(new ConfigMap(), "team", "values"), PATCH);

    assertThat(sent.getMetadata().getResourceVersion()).isEqualTo("8");
    onePatchWasSentTo(path);
  }

  @Test
  void anObjectOfTheClusterIsPatchedWithoutBeingRead() throws InterruptedException {
    var path = "/api/v1/nodes/one";
    server.expect().patch().withPath(path).andReturn(200, new NodeBuilder().build()).once();

    MergePatch.send(client, MergePatch.named(new Node(), null, "one"), PATCH);

    onePatchWasSentTo(path);
  }

  @Test
  void aStatusIsPatchedWithoutItsObjectBeingRead() throws InterruptedException {
    var path = "/api/v1/namespaces/team/pods/chat/status";
    server.expect().patch().withPath(path).andReturn(200, new PodBuilder().build()).once();

    MergePatch.sendByStatus(client, MergePatch.named(new Pod(), "team", "chat"), PATCH);

    onePatchWasSentTo(path);
  }

  private void onePatchWasSentTo(String path) throws InterruptedException {
    assertThat(server.getRequestCount()).isOne();
    var request = server.takeRequest();
    assertThat(request.getMethod() + " " + request.getPath()).isEqualTo("PATCH " + path);
    assertThat(request.getHeader("Content-Type")).isEqualTo("application/merge-patch+json");
    assertThat(request.getBody().readUtf8()).isEqualTo(PATCH);
  }
}
