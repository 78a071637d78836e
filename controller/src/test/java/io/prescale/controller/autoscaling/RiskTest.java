package io.prescale.controller.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RiskTest {

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.01, 0.51, Double.NaN})
  void refusesABudgetThatIsNoShareOfTime(double share) {
    assertThatThrownBy(() -> new Risk.Budget(share))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("budget must be above 0 and at most 50 % of the time");
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 0, -3, 1e7, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesAShortageCostThatIsNone(double idle) {
    assertThatThrownBy(() -> new Risk.ShortageCost(idle))
        .hasMessage("shortage cost must be above 1 and at most 1000000 idle replicas: " + idle);
  }

  @Test
  void takesTheLimits() {
    assertThat(new Risk.Budget(0.5).share()).isEqualTo(0.5);
    assertThat(new Risk.ShortageCost(1e6).idleReplicas()).isEqualTo(1e6);
  }
}
