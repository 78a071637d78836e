package io.prescale.controller.plan.live;

import static io.prescale.controller.plan.live.BookedServices.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeListBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Which nodes have come. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class LiveNodesTest {
  private KubernetesMockServer server;
  private KubernetesClient client;

  @Test
  void aNodeCountsThatWasCreatedSinceIsReadyAndHasTheResource() {
    var node =
        new NodeBuilder()
            .withNewMetadata()
            .withName("n")
            .withCreationTimestamp("2026-11-24T07:47:00Z")
            .endMetadata()
            .withNewStatus()
            .addToAllocatable("nvidia.com/gpu", new Quantity("8"))
            .addNewCondition()
            .withType("Ready")
            .withStatus("True")
            .endCondition()
            .endStatus()
            .build();
    server
        .expect()
        .get()
        .withPath("/api/v1/nodes")
        .andReturn(200, new NodeListBuilder().withItems(node).build())
        .times(3);
    var nodes = new LiveNodes(client);

    assertThat(nodes.hasNodeSince(at("07:45"), Set.of("nvidia.com/gpu"))).isTrue();
    assertThat(nodes.hasNodeSince(at("07:48"), Set.of("nvidia.com/gpu"))).isFalse();
    assertThat(nodes.hasNodeSince(at("07:45"), Set.of("amd.com/gpu"))).isFalse();
    server.expect().get().withPath("/api/v1/nodes").andReturn(403, "{}").once();
    assertThat(nodes.hasNodeSince(at("07:45"), Set.of("nvidia.com/gpu"))).isFalse();
  }
}
