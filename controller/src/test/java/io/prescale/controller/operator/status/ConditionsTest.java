package io.prescale.controller.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.autoscaling.HpaState;
import io.prescale.controller.operator.hpa.HpaPlan;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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

  @Test
  void warnsOfTheMaximumThatAnAdoptedHpaGetsBack() {
    var two = hpa(true, "ValidMetricFound");

    var below =
        Conditions.scalingActive(
            Mode.Active, Optional.empty(), "The HPA", two, true, OptionalInt.of(1));

    assertThat(below.status()).isEqualTo(ConditionStatus.True);
    assertThat(below.reason()).isEqualTo(ConditionReason.ScalingAboveOwnMaximum);
    assertThat(below.message())
        .isEqualTo(
            "The HPA acts on the served values. There are 2 replicas; once it is given back, its"
                + " own maximum of 1 holds again. Raise that first: maxReplicas in its"
                + " annotation prescale.io/original-spec.");
    assertThat(
            Conditions.scalingActive(
                    Mode.Active, Optional.empty(), "The HPA", two, true, OptionalInt.of(2))
                .reason())
        .isEqualTo(ConditionReason.Scaling);
  }

  @Test
  void anHpaThatTheServerRefusesForItsMinimumOf0HasARemedy() {
    var refused =
        Conditions.hpaNotWritten(
            0,
            "HorizontalPodAutoscaler \"chat\" is invalid: spec.minReplicas: Invalid value: 0: must"
                + " be greater than or equal to 1");
    assertThat(refused.reason()).isEqualTo(ConditionReason.ZeroNotAllowed);
    assertThat(refused.message()).contains("HPAScaleToZero", "minReplicas: 1", "KEDA");

    assertThat(Conditions.hpaNotWritten(0, "forbidden").reason())
        .isEqualTo(ConditionReason.InternalError);
    assertThat(Conditions.hpaNotWritten(1, "spec.minReplicas: ?").reason())
        .isEqualTo(ConditionReason.InternalError);
  }

  @Test
  void anHpaAtZeroThatItDidNotScaleThereNeedsAReplica() {
    var finding =
        Conditions.scalingActive(
            Mode.Active,
            Optional.empty(),
            "The HPA",
            hpa(false, "ScalingDisabled"),
            true,
            OptionalInt.empty());
    assertThat(finding.reason()).isEqualTo(ConditionReason.HpaInactive);
    assertThat(finding.message()).contains("start one replica with kubectl scale");
  }

  private static ConditionReason active(
      Mode mode, Optional<HpaPlan.Refusal> refusal, Optional<HpaState> hpa, boolean valueKnown) {
    return Conditions.scalingActive(mode, refusal, "The HPA", hpa, valueKnown, OptionalInt.empty())
        .reason();
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
