package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerSpec;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerSpecBuilder;
import io.prescale.controller.api.v1alpha1.PredictiveHPASpec;
import io.prescale.controller.operator.hpa.HpaFeatures;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The rules of HPAs that Prescale has not made. */
class RulesOfOthersTest {
  private static final PredictiveHPASpec SPEC = PredictiveHpas.chat("requests").getSpec();
  private static final HorizontalPodAutoscalerSpec HPA =
      new HorizontalPodAutoscalerSpecBuilder()
          .withMaxReplicas(7)
          .withNewBehavior()
          .withNewScaleDown()
          .withStabilizationWindowSeconds(60)
          .endScaleDown()
          .endBehavior()
          .build();

  private final SpecReader reader = new SpecReader(new HpaFeatures(true));

  @Test
  void thoseOfOneThatIsOnlyReadAreThoseThatItsAuthorWrote() {
    var rules = reader.rules(SPEC, HPA);

    assertThat(rules.minReplicas()).isOne(); // Kubernetes' default
    assertThat(rules.maxReplicas()).isEqualTo(7);
    assertThat(rules.scaleUp().tolerance()).isEqualTo(0.1); // not 0, as Prescale would write it
    assertThat(rules.scaleDown().stabilizationWindow()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void anAdoptedOneKeepsItsBehaviorAndHasTheLimitsOfTheSpec() {
    var adopted =
        new HorizontalPodAutoscalerSpecBuilder(HPA).withMinReplicas(7).withMaxReplicas(9).build();

    var rules = reader.rulesOfAdopted(SPEC, adopted);

    assertThat(rules.scaleDown().stabilizationWindow()).isEqualTo(Duration.ofMinutes(1));
    assertThat(rules.scaleUp().tolerance()).isZero();
    assertThat(rules.maxReplicas()).isEqualTo(SPEC.maxReplicas());
  }
}
