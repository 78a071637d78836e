package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerSpecBuilder;
import io.prescale.controller.operator.hpa.HpaFeatures;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AdoptedRulesTest {
  @Test
  void anAdoptedHpaKeepsItsBehaviorAndHasTheLimitsOfTheSpec() {
    var adopted =
        new HorizontalPodAutoscalerSpecBuilder()
            .withMinReplicas(7)
            .withMaxReplicas(9)
            .withNewBehavior()
            .withNewScaleDown()
            .withStabilizationWindowSeconds(60)
            .endScaleDown()
            .endBehavior()
            .build();

    var spec = PredictiveHpas.chat("requests").getSpec();
    var rules = new SpecReader(new HpaFeatures(true)).rulesOfAdopted(spec, adopted);

    assertThat(rules.scaleDown().stabilizationWindow()).isEqualTo(Duration.ofMinutes(1));
    assertThat(rules.scaleUp().tolerance()).isZero();
    assertThat(rules.maxReplicas()).isEqualTo(spec.maxReplicas());
  }
}
