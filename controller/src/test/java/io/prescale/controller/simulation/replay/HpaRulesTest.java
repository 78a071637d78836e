package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.ScalingPolicy;
import io.prescale.controller.autoscaling.ScalingRules;
import io.prescale.controller.autoscaling.ScalingRules.Selection;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class HpaRulesTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final List<ScalingPolicy> ONE_POD = List.of(ScalingPolicy.pods(1, MINUTE));

  @Test
  void defaultsAreThoseOfKubernetes() {
    HpaRules rules = HpaRules.defaults();

    assertThat(rules.syncPeriod()).isEqualTo(Duration.ofSeconds(15));
    assertThat(rules.scaleUp().stabilizationWindow()).isZero();
    assertThat(rules.scaleUp().tolerance()).isEqualTo(0.1);
    assertThat(rules.scaleUp().policies())
        .containsExactly(
            ScalingPolicy.pods(4, Duration.ofSeconds(15)),
            ScalingPolicy.percent(100, Duration.ofSeconds(15)));
    assertThat(rules.scaleDown().stabilizationWindow()).isEqualTo(Duration.ofMinutes(5));
    assertThat(rules.scaleDown().policies())
        .containsExactly(ScalingPolicy.percent(100, Duration.ofSeconds(15)));
    assertThat(rules.minReplicas()).isEqualTo(1);
  }

  @Test
  void oneToleranceCanBeSetForBothDirections() {
    HpaRules rules = HpaRules.defaults().withTolerance(0.02);

    assertThat(rules.scaleUp().tolerance()).isEqualTo(0.02);
    assertThat(rules.scaleDown().tolerance()).isEqualTo(0.02);
  }

  @Test
  void refusesWhatKubernetesRefuses() {
    refused(() -> new ScalingRules(Duration.ofSeconds(-1), 0, Selection.MAX, ONE_POD));
    refused(() -> new ScalingRules(Duration.ofSeconds(3601), 0, Selection.MAX, ONE_POD));
    refused(() -> new ScalingRules(MINUTE, -0.1, Selection.MAX, ONE_POD));
    refused(() -> new ScalingRules(MINUTE, Double.NaN, Selection.MAX, ONE_POD));
    refused(() -> new ScalingRules(MINUTE, 0, Selection.MAX, List.of()));
    refused(
        () ->
            new ScalingRules(
                MINUTE, 0, Selection.MAX, Collections.nCopies(21, ONE_POD.getFirst())));
    refused(() -> ScalingPolicy.pods(0, MINUTE));
    refused(() -> ScalingPolicy.percent(-1, MINUTE));
    refused(() -> ScalingPolicy.pods(1, Duration.ZERO));
    refused(() -> ScalingPolicy.pods(1, Duration.ofSeconds(1801)));
    refused(() -> HpaRules.defaults().withReplicas(-1, 5));
    refused(() -> HpaRules.defaults().withReplicas(0, 0));
    refused(() -> HpaRules.defaults().withReplicas(3, 2));
  }

  @Test
  void refusesSettingsThatCannotBeReplayed() {
    ReplaySettings settings = ReplaySettings.forCapacity(1);
    HpaRules rules = HpaRules.defaults();

    refused(() -> ReplaySettings.forCapacity(0));
    refused(() -> ReplaySettings.forCapacity(Double.NaN));
    refused(() -> ReplaySettings.forCapacity(Double.POSITIVE_INFINITY));
    refused(() -> settings.withSkip(Duration.ofSeconds(-1)));
    refused(() -> settings.withColdStart(new ColdStart.Constant(Duration.ofDays(2))));
    refused(
        () ->
            settings.withRules(
                new HpaRules(
                    Duration.ofSeconds(7),
                    rules.scaleUp(),
                    rules.scaleDown(),
                    1,
                    2,
                    rules.failedSync())));
    refused(
        () ->
            new ReplaySettings(
                1, rules, settings.coldStart(), Duration.ofSeconds(90), Duration.ZERO, 1));
  }

  private static void refused(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
  }
}
