package io.prescale.controller.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.autoscaling.HpaState;
import io.prescale.controller.operator.hpa.HpaPlan;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConditionsTest {
  @Test
  void saysOfScalingWhatHoldsInThisOrder() {
    var refusal = Optional.of(new HpaPlan.Refusal(HpaPlan.Reason.TARGET_HAS_OTHER_HPA, "by-cpu"));
    var working = hpa(true, "ValidMetricFound");

    assertThat(active(Mode.Shadow, refusal, working, true)).isEqualTo(ConditionReason.ShadowMode);
    assertThat(active(Mode.Active, refusal, working, true))
        .isEqualTo(ConditionReason.TargetConflict);
    assertThat(active(Mode.Active, Optional.empty(), working, false))
        .isEqualTo(ConditionReason.HpaPending);
    assertThat(active(Mode.Active, Optional.empty(), Optional.empty(), true))
        .isEqualTo(ConditionReason.HpaPending);
    assertThat(active(Mode.Active, Optional.empty(), hpa(false, "FailedGetExternalMetric"), true))
        .isEqualTo(ConditionReason.HpaInactive);
    assertThat(active(Mode.Active, Optional.empty(), working, true))
        .isEqualTo(ConditionReason.Scaling);
  }

  private static ConditionReason active(
      Mode mode, Optional<HpaPlan.Refusal> refusal, Optional<HpaState> hpa, boolean valueKnown) {
    return Conditions.scalingActive(mode, refusal, hpa, valueKnown).reason();
  }

  private static Optional<HpaState> hpa(boolean isTrue, String reason) {
    return Optional.of(
        new HpaState(
            2,
            2,
            List.of(),
            List.of(new HpaState.Condition("ScalingActive", isTrue, reason, "as it says"))));
  }
}
