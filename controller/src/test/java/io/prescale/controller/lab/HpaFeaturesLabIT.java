package io.prescale.controller.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.operator.hpa.HpaFeatures;
import org.junit.jupiter.api.Test;

/** What an API server can do is asked of it: the version alone does not tell. */
class HpaFeaturesLabIT {
  @Test
  void aServerWithTheGateOffHasNoTolerance() throws Exception {
    try (var lab = Lab.start("--feature-gates=HPAConfigurableTolerance=false");
        var client = LabObjects.client(lab)) {
      assertThat(HpaFeatures.of(client, "default")).isEqualTo(new HpaFeatures(false));
      assertThat(client.getKubernetesVersion().getMinor()).isGreaterThanOrEqualTo("35");
    }
  }

  @Test
  void aServerAsItComesHasToleranceAndKeepsNoProbe() throws Exception {
    try (var lab = Lab.start();
        var client = LabObjects.client(lab)) {
      assertThat(HpaFeatures.of(client, "default")).isEqualTo(new HpaFeatures(true));
      assertThat(client.autoscaling().v2().horizontalPodAutoscalers().inAnyNamespace().list())
          .satisfies(list -> assertThat(list.getItems()).isEmpty());
    }
  }
}
