package io.prescale.controller.scheduler.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.placement.inventory.NetworkLabels;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read of Topologies, whatever they say. */
class TopologyFeedTest {
  private static GenericKubernetesResource topology(String spec) {
    return Serialization.unmarshal(
        "{\"apiVersion\": \"kueue.x-k8s.io/v1beta2\", \"kind\": \"Topology\", \"metadata\":"
            + " {\"name\": \"t\"}, \"spec\": "
            + spec
            + "}",
        GenericKubernetesResource.class);
  }

  @Test
  void theLabelsOfItsLevelsAreReadInTheirOrder() {
    assertThat(
            TopologyFeed.labels(
                topology("{\"levels\": [{\"nodeLabel\": \"block\"}, {\"nodeLabel\": \"rack\"}]}")))
        .containsExactly("block", "rack");
  }

  @Test
  void aClusterThatIsReadOnceHasTheLevelsOfItsTopologies() {
    var spec = "{\"levels\": [{\"nodeLabel\": \"lab/block\"}, {\"nodeLabel\": \"lab/rack\"}]}";

    assertThat(new ClusterObjects(List.of(topology(spec))).ledger().levels())
        .isEqualTo(NetworkLabels.of(List.of(List.of("lab/block", "lab/rack"))))
        .isNotEqualTo(NetworkLabels.KNOWN);
    assertThat(new ClusterObjects(List.of()).ledger().levels()).isEqualTo(NetworkLabels.KNOWN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{}",
        "[]",
        "7",
        "{\"levels\": \"rack\"}",
        "{\"levels\": [null, 7, \"rack\", {}, {\"nodeLabel\": null}, {\"nodeLabel\": [\"rack\"]}]}"
      })
  void whatMakesNoSenseIsNoLevel(String spec) {
    assertThat(TopologyFeed.labels(topology(spec))).isEmpty();
  }
}
