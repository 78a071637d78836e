package io.prescale.controller.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.HpaState.Condition;
import io.prescale.controller.autoscaling.HpaState.SeenMetric;
import io.prescale.controller.autoscaling.HpaVerdict.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Ten requests a replica. */
class HpaGatesTest {
  private static final MetricSettings METRIC = new MetricSettings("requests", 10);
  private static final HpaRules RULES = HpaRules.defaults().withReplicas(2, 20);

  @Test
  void shadowHasNoHpa() {
    assertThat(HpaGates.judge(RULES, METRIC, 95, Optional.empty()))
        .isEqualTo(
            new HpaVerdict(10, Gate.NO_HPA, "No HPA acts on it; one would want 10 replicas."));
  }

  @Test
  void theHpaFollows() {
    assertThat(judge(100, 5, 10))
        .isEqualTo(new HpaVerdict(10, Gate.NONE, "The HPA wants 10 replicas and asks for them."));
    assertThat(judge(100, 10, 10).gate()).isEqualTo(Gate.NONE);
  }

  @Test
  void tolerance() {
    assertThat(judge(109, 10, 10))
        .isEqualTo(
            new HpaVerdict(
                10, Gate.TOLERANCE, "The HPA stays at 10 replicas: 11 are within its tolerance."));
    assertThat(judge(111, 10, 12).gate()).isEqualTo(Gate.NONE);
    assertThat(judge(91, 10, 10).gate()).as("downwards; rounds up to 10").isEqualTo(Gate.NONE);
    var exact = RULES.withTolerance(0);
    assertThat(HpaGates.judge(exact, METRIC, 109, Optional.of(state(109, 10, 11))).gate())
        .isEqualTo(Gate.NONE);
  }

  @Test
  void limits() {
    assertThat(judge(500, 20, 20, condition("ScalingLimited", true, "TooManyReplicas")))
        .isEqualTo(
            new HpaVerdict(
                50, Gate.MAXIMUM, "The HPA wants 50 replicas and may have 20 (maxReplicas)."));
    assertThat(judge(3, 2, 2, condition("ScalingLimited", true, "TooFewReplicas")))
        .isEqualTo(
            new HpaVerdict(
                1, Gate.MINIMUM, "The HPA wants 1 replica and must have 2 (minReplicas)."));
  }

  @Test
  void stabilizationAndPolicies() {
    assertThat(judge(50, 10, 10, condition("AbleToScale", true, "ScaleDownStabilized")).gate())
        .isEqualTo(Gate.STABILIZATION);
    assertThat(judge(150, 10, 12, condition("AbleToScale", true, "ScaleUpStabilized")).gate())
        .isEqualTo(Gate.STABILIZATION);
    assertThat(judge(190, 6, 12, condition("ScalingLimited", true, "ScaleUpLimit")))
        .isEqualTo(
            new HpaVerdict(
                19,
                Gate.POLICY,
                "The HPA wants 19 replicas; its scaling policies allow 12 for now."));
    assertThat(judge(50, 10, 9, condition("ScalingLimited", true, "ScaleDownLimit")).gate())
        .isEqualTo(Gate.POLICY);
  }

  @Test
  void aFailingMetricBlocksScalingDown() {
    var failing = condition("ScalingActive", false, "FailedGetExternalMetric");
    var verdict = judge(50, 10, 10, failing);

    assertThat(verdict.gate()).isEqualTo(Gate.FAILING_METRIC);
    assertThat(verdict.message()).contains("FailedGetExternalMetric: because");
    assertThat(judge(50, 0, 0, condition("ScalingActive", false, "ScalingDisabled")).gate())
        .isEqualTo(Gate.INACTIVE);
    assertThat(judge(50, 3, 3, condition("AbleToScale", false, "FailedGetScale")).gate())
        .isEqualTo(Gate.INACTIVE);
  }

  @Test
  void aValueThatTheHpaHasNotSeen() {
    assertThat(HpaGates.judge(RULES, METRIC, 100, Optional.of(state(60, 6, 6))).gate())
        .isEqualTo(Gate.NOT_READ_YET);
    assertThat(
            HpaGates.judge(
                    RULES, METRIC, 100, Optional.of(new HpaState(6, 6, List.of(), List.of())))
                .gate())
        .isEqualTo(Gate.NOT_READ_YET);
    assertThat(judge(150, 10, 12).gate()).as("read, not acted on").isEqualTo(Gate.NOT_READ_YET);
  }

  @Test
  void theStatusRoundsToThousandths() {
    var third = new HpaState(3, 10, List.of(new SeenMetric("requests", 33.334)), List.of());
    assertThat(HpaGates.judge(RULES, METRIC, 100, Optional.of(third)).gate()).isEqualTo(Gate.NONE);
  }

  @Test
  void anotherMetricAsksForMore() {
    assertThat(judge(50, 10, 10, condition("AbleToScale", true, "ReadyForNewScale")))
        .isEqualTo(
            new HpaVerdict(
                5,
                Gate.OTHER_METRIC,
                "The HPA wants 5 replicas for this metric; another one asks for 10."));
  }

  @Test
  void absurdNumbersDoNotOverflow() {
    assertThat(judge(1e300, 1, 20).gate()).isEqualTo(Gate.MAXIMUM);
    assertThat(judge(0, 0, 2).gate()).isEqualTo(Gate.MINIMUM);
  }

  private static HpaVerdict judge(
      double served, int current, int desired, Condition... conditions) {
    return HpaGates.judge(
        RULES, METRIC, served, Optional.of(state(served, current, desired, conditions)));
  }

  private static HpaState state(double seen, int current, int desired, Condition... conditions) {
    var all = new ArrayList<>(List.of(conditions));
    all.add(condition("ScalingActive", true, "ValidMetricFound"));
    return new HpaState(
        current, desired, List.of(new SeenMetric("requests", seen / Math.max(1, current))), all);
  }

  private static Condition condition(String type, boolean isTrue, String reason) {
    return new Condition(type, isTrue, reason, "because");
  }
}
