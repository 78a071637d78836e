package io.prescale.controller.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShortfallFeedbackTest {
  private static final int DAY = 1440;

  @Test
  void startsAtAPriceThatSpendsATwentiethOfTheService() {
    var feedback = feedback(0.005);
    assertThat(feedback.price()).isCloseTo(0.05 / 0.005, within(1e-9));
    assertThat(feedback.shortShare()).isEqualTo(0.005);
    assertThat(feedback(0.05).price()).as("ten times the budget").isCloseTo(1, within(1e-9));
  }

  @Test
  void thePriceIsInReplicasOfTheUsualSize() {
    var feedback = feedback(0.005);
    for (int i = 0; i < 60; i++) {
      feedback.stepPassed(40, false);
    }
    double unlearned = 10 * 40;
    assertThat(feedback.price()).isBetween(0.97 * unlearned, unlearned);
    for (int i = 0; i < 20; i++) {
      feedback.stepPassed(-5, false);
    }
    double oneReplicaLately = 10 * (60 * 40 + 20) / 80.0;
    assertThat(feedback.price())
        .as("at least one replica")
        .isBetween(0.97 * oneReplicaLately, oneReplicaLately);
  }

  @Test
  void shortageRaisesThePriceAndCalmLowersIt() {
    var feedback = feedback(0.005);
    feedback.stepPassed(10, false);
    double start = feedback.price();
    for (int i = 0; i < 20; i++) {
      feedback.stepPassed(10, true);
    }
    double raised = feedback.price();
    assertThat(raised).isGreaterThan(1.5 * start);
    for (int i = 0; i < 3 * DAY; i++) {
      feedback.stepPassed(10, false);
    }
    assertThat(feedback.price()).isLessThan(raised);
  }

  @Test
  void usuallyStaysWithinAFactorOfTwo() {
    var always = feedback(0.005);
    var never = feedback(0.005);
    for (int i = 0; i < 30 * DAY; i++) {
      always.stepPassed(10, true);
      never.stepPassed(10, false);
    }
    assertThat(always.price()).isCloseTo(2 * 10 * 10, within(1e-6));
    assertThat(never.price()).isCloseTo(0.5 * 10 * 10, within(1e-6));
    assertThat(always.shortShare()).isCloseTo(1, within(0.001));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 2.5, 32})
  void risesByTheCostLimitAndFallsToHalf(double limit) {
    var budget = new Risk.Budget(0.005, limit);
    var always = new ShortfallFeedback(budget, Duration.ofMinutes(1));
    var never = new ShortfallFeedback(budget, Duration.ofMinutes(1));
    for (int i = 0; i < 30 * DAY; i++) {
      always.stepPassed(10, true);
      never.stepPassed(10, false);
    }
    assertThat(always.price()).isCloseTo(limit * 10 * 10, within(1e-6));
    assertThat(never.price()).isCloseTo(0.5 * 10 * 10, within(1e-6));
  }

  /** A share of 1.5 times the budget: 1.5 to the power of log2(limit). */
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1.5", "4, 2.25", "32, 7.59375"})
  void risesTheSteeperTheHigherTheLimit(double limit, double factor) {
    var feedback = new ShortfallFeedback(new Risk.Budget(0.01, limit), Duration.ofMinutes(1));

    feedback.resume(0.015);

    assertThat(feedback.price()).isCloseTo(5 * factor, within(1e-9));
  }

  @Test
  void aBudgetThatIsMetLeavesThePrice() {
    var feedback = feedback(0.01);
    for (int i = 0; i < 20 * DAY; i++) {
      feedback.stepPassed(10, i % 100 == 0);
    }
    assertThat(feedback.shortShare()).isCloseTo(0.01, within(0.0002));
    assertThat(feedback.price()).isCloseTo(5 * 10, within(1.5));
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY})
  void refusesADemandThatIsNone(double needed) {
    var feedback = feedback(0.01);
    assertThatThrownBy(() -> feedback.stepPassed(needed, true))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(feedback.price()).isCloseTo(5, within(1e-9));
  }

  private static ShortfallFeedback feedback(double budget) {
    return new ShortfallFeedback(new Risk.Budget(budget), Duration.ofMinutes(1));
  }
}
