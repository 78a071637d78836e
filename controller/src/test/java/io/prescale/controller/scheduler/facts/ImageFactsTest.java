package io.prescale.controller.scheduler.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.placement.inventory.NetworkLabels;
import org.junit.jupiter.api.Test;

/** Which images nodes have and pods need. */
class ImageFactsTest {
  private final KubernetesSerialization yaml = new KubernetesSerialization();

  private String image(String spec) {
    return Facts.of(
            yaml.unmarshal(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: p, namespace: d, uid: u}
                spec: {%s}
                """
                    .formatted(spec),
                Pod.class))
        .image();
  }

  @Test
  void readsImagesOfNodesAndOfPodsThatWait() {
    var node =
        yaml.unmarshal(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: n}
            status:
              images:
              - {names: ["vllm/vllm-openai:v1", "vllm/vllm-openai@sha256:ab"], sizeBytes: 9000000000}
              - {names: []}
              - {sizeBytes: 1}
            """,
            Node.class);
    var containers =
        "containers: [{name: c, image: 'vllm/vllm-openai:v1', resources: {limits: {x.y/z: 1}}}]";

    assertThat(Facts.of(node, NetworkLabels.KNOWN).images())
        .containsExactlyInAnyOrder(
            "docker.io/vllm/vllm-openai:v1", "docker.io/vllm/vllm-openai@sha256:ab");
    assertThat(image(containers)).isEqualTo("docker.io/vllm/vllm-openai:v1");
    assertThat(image(containers + ", nodeName: n"))
        .as("of a pod that is bound it is not kept")
        .isEmpty();
  }
}
