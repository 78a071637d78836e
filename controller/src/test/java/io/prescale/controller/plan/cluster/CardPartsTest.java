package io.prescale.controller.plan.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A replica with 20 GiB of a card, where nodes have a card of 40 or of 80 GiB. */
class CardPartsTest {
  private static final List<Node> NODES =
      List.of(
          node("small", "NVIDIA A100-40GB", 40_960, ""),
          node(
              "large",
              "NVIDIA H100-80GB",
              81_920,
              "spec: {taints: [{key: h100, effect: NoSchedule}]}"));

  private static Node node(String pool, String model, int memoryMib, String spec) {
    return Serialization.unmarshal(
        """
        metadata:
          name: %1$s
          labels: {pool: %1$s}
          annotations:
            hami.io/node-nvidia-register: '[{"id":"GPU-%1$s","count":10,"devmem":%3$d,"devcore":100,
              "type":"%2$s","mode":"hami-core","health":true}]'
        %4$s
        status:
          allocatable: {nvidia.com/gpu: 10}
          conditions: [{type: Ready, status: "True"}]
        """
            .formatted(pool, model, memoryMib, spec),
        Node.class);
  }

  private static Pod replica(String annotations, String spec) {
    return Serialization.unmarshal(
        """
        metadata: {name: p, namespace: team, uid: u, annotations: %s}
        spec:
          containers:
          - {name: m, resources: {limits: {nvidia.com/gpu: 1, nvidia.com/gpumem: 20480}}}
          %s
        """
            .formatted(annotations, spec),
        Pod.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                               | tolerations: [{operator: Exists}] | 0.25",
        "{}                               | ''                                | 0.5",
        "{}                               | nodeSelector: {pool: small}       | 0.5",
        "{nvidia.com/use-gputype: a100}   | tolerations: [{operator: Exists}] | 0.5",
        "{nvidia.com/nouse-gputype: h100} | tolerations: [{operator: Exists}] | 0.5",
        "{}                               | nodeSelector: {pool: none}        | 1",
        "{nvidia.com/use-gputype: B200}   | tolerations: [{operator: Exists}] | 1",
      })
  void itsPartIsThatOfTheCardsThatItCouldUse(String annotations, String spec, double cards) {
    assertThat(CardParts.of(NODES).cards(List.of(replica(annotations, spec)))).isEqualTo(cards);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                               | tolerations: [{operator: Exists}] | A100 H100",
        "{}                               | ''                                | A100",
        "{nvidia.com/nouse-gputype: a100} | tolerations: [{operator: Exists}] | H100",
        "{nvidia.com/use-gputype: B200}   | tolerations: [{operator: Exists}] | ''",
      })
  void itsModelsAreThoseOfTheCardsThatItCouldUse(String annotations, String spec, String models) {
    var found = CardParts.of(NODES).models(List.of(replica(annotations, spec)));

    assertThat(String.join(" ", found))
        .isEqualTo(models.replace("A100", "NVIDIA A100-40GB").replace("H100", "NVIDIA H100-80GB"));
  }

  /** A plain device plugin only says how many there are; a label says which. */
  @Test
  void cardsThatAreOnlyCountedAreOfTheModelOfTheLabel() {
    var node =
        Serialization.unmarshal(
            """
            metadata: {name: n, labels: {nvidia.com/gpu.product: NVIDIA-L40S}}
            status:
              allocatable: {nvidia.com/gpu: 2}
              conditions: [{type: Ready, status: "True"}]
            """,
            Node.class);
    var two =
        Serialization.unmarshal(
            """
            metadata: {name: p, namespace: team, uid: u}
            spec: {containers: [{name: m, resources: {limits: {nvidia.com/gpu: 2}}}]}
            """,
            Pod.class);

    assertThat(CardParts.of(List.of(node)).models(List.of(two))).containsExactly("NVIDIA-L40S");
    assertThat(CardParts.of(List.of(node)).models(List.of(replica("{}", "")))).isEmpty();
  }

  @Test
  void whatAsksForNoCardsTakesNone() {
    var pod =
        Serialization.unmarshal("metadata: {name: p, namespace: n, uid: u}\nspec: {}", Pod.class);

    assertThat(CardParts.of(NODES).cards(List.of(pod))).isZero();
    assertThat(CardParts.of(List.of()).cards(List.of(replica("{}", "")))).isEqualTo(1);
  }
}
