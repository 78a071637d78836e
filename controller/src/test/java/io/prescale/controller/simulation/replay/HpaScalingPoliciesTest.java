package io.prescale.controller.simulation.replay;

import static io.prescale.controller.simulation.replay.Hpas.currentAfterEach;
import static io.prescale.controller.simulation.replay.Hpas.hpa;
import static io.prescale.controller.simulation.replay.Hpas.immediate;
import static io.prescale.controller.simulation.replay.Hpas.repeat;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.ScalingPolicy;
import io.prescale.controller.autoscaling.ScalingRules;
import io.prescale.controller.autoscaling.ScalingRules.Selection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Worked out by hand, as in {@link HpaSimulationTest}. */
class HpaScalingPoliciesTest {

  @Test
  void aPodsPolicyLooksBackOverItsPeriod() {
    var rules = withScaleUp(Selection.MAX, ScalingPolicy.pods(2, Duration.ofMinutes(1)));

    assertThat(currentAfterEach(hpa(rules, 2), repeat(20, 9)))
        .containsExactly(4, 4, 4, 4, 6, 6, 6, 6, 8);
  }

  @Test
  void aPercentPolicyCountsFromTheStartOfItsPeriodAndRoundsUp() {
    var rules = withScaleUp(Selection.MAX, ScalingPolicy.percent(50, Duration.ofMinutes(1)));

    assertThat(currentAfterEach(hpa(rules, 10), repeat(100, 9)))
        .containsExactly(15, 15, 15, 15, 23, 23, 23, 23, 35);
    assertThat(currentAfterEach(hpa(rules, 1), repeat(100, 1))).containsExactly(2);
  }

  @Test
  void thePolicyThatAllowsLessCountsWhenMinIsSelected() {
    var pods = ScalingPolicy.pods(4, Duration.ofSeconds(15));
    var percent = ScalingPolicy.percent(100, Duration.ofSeconds(15));

    assertThat(currentAfterEach(hpa(withScaleUp(Selection.MIN, pods, percent), 10), 100, 100))
        .containsExactly(14, 18);
    assertThat(currentAfterEach(hpa(withScaleUp(Selection.MAX, pods, percent), 10), 100, 100))
        .containsExactly(20, 40);
  }

  @Test
  void aDisabledDirectionDoesNotMove() {
    var off = new ScalingRules(Duration.ZERO, 0.1, Selection.DISABLED, List.of());
    var rules = immediate(HpaRules.defaults());

    var noUp = hpa(rules.withBehavior(off, rules.scaleDown()), 10);
    assertThat(currentAfterEach(noUp, 100, 5, 100)).containsExactly(10, 5, 5);
    var noDown = hpa(rules.withBehavior(rules.scaleUp(), off), 10);
    assertThat(currentAfterEach(noDown, 5, 12, 5)).containsExactly(10, 12, 12);
  }

  @Test
  void aPercentPolicyDownwardRoundsTowardsZero() {
    var rules = withScaleDown(Selection.MAX, ScalingPolicy.percent(10, Duration.ofMinutes(1)));

    assertThat(currentAfterEach(hpa(rules, 100), repeat(10, 9)))
        .containsExactly(90, 90, 90, 90, 81, 81, 81, 81, 72);
  }

  @Test
  void selectionWorksDownwardToo() {
    var pods = ScalingPolicy.pods(5, Duration.ofMinutes(1));
    var percent = ScalingPolicy.percent(10, Duration.ofMinutes(1));

    assertThat(currentAfterEach(hpa(withScaleDown(Selection.MAX, pods, percent), 100), 10))
        .containsExactly(90);
    assertThat(currentAfterEach(hpa(withScaleDown(Selection.MIN, pods, percent), 100), 10))
        .containsExactly(95);
  }

  @Test
  void replicasRemovedWithinThePeriodMayComeBack() {
    var rules = withScaleUp(Selection.MAX, ScalingPolicy.pods(2, Duration.ofMinutes(1)));

    assertThat(currentAfterEach(hpa(rules, 10), 5, 20, 20)).containsExactly(5, 12, 12);
  }

  private static HpaRules withScaleUp(Selection selection, ScalingPolicy... policies) {
    var rules = immediate(HpaRules.defaults());
    var up = new ScalingRules(Duration.ZERO, 0.1, selection, List.of(policies));
    return rules.withBehavior(up, rules.scaleDown());
  }

  private static HpaRules withScaleDown(Selection selection, ScalingPolicy... policies) {
    var rules = HpaRules.defaults();
    var down = new ScalingRules(Duration.ZERO, 0.1, selection, List.of(policies));
    return rules.withBehavior(rules.scaleUp(), down);
  }
}
