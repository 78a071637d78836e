package io.prescale.controller.scheduler.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

/** What is kept of a pod of a running cluster for what-if. */
class PlacedFactsTest {
  private static Pod pod(String conditions) {
    return Serialization.unmarshal(
        """
        metadata: {name: p, namespace: d, uid: u}
        spec:
          nodeSelector: {pool: gpu}
          tolerations: [{key: gpu, operator: Exists}]
          containers: [{name: m}]
          volumes:
          - {name: data, persistentVolumeClaim: {claimName: data}}
        status: {conditions: %s}
        """
            .formatted(conditions),
        Pod.class);
  }

  @Test
  void whereItMayGoAndWhetherItIsReadyAndNoSecretThatItMounts() {
    var pod = pod("[{type: Initialized}, {type: Ready}]");
    var secret = new VolumeBuilder().withName("key").withNewSecret().endSecret().build();
    pod.getSpec().getVolumes().add(secret);

    var kept = Facts.placed(pod);

    var expected = pod("[{type: Ready}]");
    assertThat(kept.getSpec().getNodeSelector()).isEqualTo(expected.getSpec().getNodeSelector());
    assertThat(kept.getSpec().getTolerations()).isEqualTo(expected.getSpec().getTolerations());
    assertThat(kept.getSpec().getVolumes()).isEqualTo(expected.getSpec().getVolumes());
    assertThat(kept.getStatus().getConditions()).isEqualTo(expected.getStatus().getConditions());
  }
}
