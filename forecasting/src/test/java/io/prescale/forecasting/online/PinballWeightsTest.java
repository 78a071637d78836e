package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PinballWeightsTest {
  private static final double[] PRESENT = {1};
  private static final double[] @Nullable [] BOTH = {PRESENT, PRESENT};
  private static final int DAY = 1440;

  @Test
  void withoutARecordThePriorCounts() {
    var weights = new PinballWeights(new double[] {3, 1}, 2, DAY);
    assertThat(weights.weights(BOTH)).containsExactly(0.75, 0.25);
    assertThat(weights.state()).containsOnly(0);
  }

  @Test
  void whoHasToProveItselfHasNoWeightBeforeTenLosses() {
    var weights = new PinballWeights(new double[] {1, 1}, 1, DAY);
    for (int i = 0; i < 10; i++) {
      assertThat(weights.weights(BOTH)).containsExactly(1, 0);
      weights.add(new double[] {1, 1}, 1);
    }
    assertThat(weights.weights(BOTH)).containsExactly(0.5, 0.5);
  }

  @Test
  void followsTheBetterForecaster() {
    var weights = new PinballWeights(new double[] {1, 1}, 2, DAY);
    for (int i = 0; i < 100; i++) {
      weights.add(new double[] {1, 1.1}, 1);
    }
    // 1.1^-4 = 0.683
    assertThat(weights.weights(BOTH)[0]).isCloseTo(1 / 1.683, within(1e-3));
    for (int i = 0; i < 100; i++) {
      weights.add(new double[] {1, 2}, 1);
    }
    assertThat(weights.weights(BOTH)).as("a poor one is left out").containsExactly(1, 0);
  }

  @Test
  void changesSidesWithinHoursAfterTheBetterOneDegrades() {
    var weights = new PinballWeights(new double[] {1, 1}, 2, DAY);
    for (int i = 0; i < 5 * DAY; i++) {
      weights.add(new double[] {1, 1.2}, 1);
    }
    assertThat(weights.weights(BOTH)[0]).isGreaterThan(0.6);
    int minutes = 0;
    while (minutes < DAY && weights.weights(BOTH)[1] < 0.6) {
      weights.add(new double[] {3, 1.2}, 2);
      minutes++;
    }
    assertThat(minutes).isLessThan(6 * 60);
  }

  @Test
  void theAbsentHaveNoWeight() {
    var weights = new PinballWeights(new double[] {1, 1, 1}, 3, DAY);
    weights.add(new double[] {1, 1, Double.NaN}, 1);
    assertThat(weights.state())
        .as("loss and count of each, and rounds")
        .containsExactly(1, 1, 1, 1, 1, 0, 1);
    assertThat(weights.weights(new double[] @Nullable [] {PRESENT, null, null}))
        .containsExactly(1, 0, 0);
    assertThat(weights.weights(new double[] @Nullable [] {null, null, null}))
        .containsExactly(0, 0, 0);
    assertThat(weights.weights(new double[] @Nullable [] {PRESENT, null, PRESENT}))
        .as("a newcomer has what all lost together")
        .containsExactly(0.5, 0, 0.5);
  }

  @Test
  void aQuietNightDoesNotProveANewcomerBetterThanOneThatKnowsTheMorning() {
    var weights = new PinballWeights(new double[] {1, 1}, 2, DAY);
    for (int minute = 0; minute < DAY; minute++) {
      double morning = minute < 60 ? 5 : 0.1;
      weights.add(new double[] {morning, Double.NaN}, morning);
    }
    for (int minute = 0; minute < 120; minute++) {
      weights.add(new double[] {0.1, 0.09}, 0.1);
    }
    assertThat(weights.weights(BOTH)[0]).isCloseTo(0.5, within(0.02));
  }

  @Test
  void whoHasToProveItselfIsJudgedByItsOwnLosses() {
    var weights = new PinballWeights(new double[] {1, 1}, 1, DAY);
    for (int i = 0; i < DAY; i++) {
      weights.add(new double[] {1, Double.NaN}, 1);
    }
    for (int i = 0; i < 10; i++) {
      weights.add(new double[] {1, 2}, 1);
    }
    assertThat(weights.weights(BOTH)).as("twice the losses").containsExactly(1, 0);
    weights.forgetFrom(1);
    assertThat(weights.state()).containsExactly(1, DAY + 10, 0, 0, DAY + 10);
  }

  @Test
  void theUnitOfTheLossDoesNotMatter() {
    var small = new PinballWeights(new double[] {1, 1}, 2, DAY);
    var large = new PinballWeights(new double[] {1, 1}, 2, DAY);
    for (int i = 0; i < 50; i++) {
      small.add(new double[] {1e-6, 1.2e-6}, 1e-6);
      large.add(new double[] {1e12, 1.2e12}, 1e12);
    }
    assertThat(small.weights(BOTH)[0]).isCloseTo(large.weights(BOTH)[0], within(1e-9));
  }

  @Test
  void withoutAnyLossAllShare() {
    var weights = new PinballWeights(new double[] {1, 1}, 2, DAY);
    weights.add(new double[] {0, 0}, 0);
    assertThat(weights.weights(BOTH)).containsExactly(0.5, 0.5);
  }

  @Test
  void aRestoredStateIsTheSame() {
    var weights = new PinballWeights(new double[] {1, 1}, 2, 100);
    for (int i = 0; i < 70; i++) {
      weights.add(new double[] {i, 1.02 * i}, i);
    }
    var restored = new PinballWeights(new double[] {1, 1}, 2, 100);
    restored.restore(weights.state());
    weights.add(new double[] {20, Double.NaN}, 15);
    restored.add(new double[] {20, Double.NaN}, 15);
    assertThat(restored.weights(BOTH)).containsExactly(weights.weights(BOTH));
    assertThat(restored.state()).containsExactly(weights.state());
  }

  @Test
  void refusesAnInvalidState() {
    var weights = new PinballWeights(new double[] {1, 1}, 2, DAY);
    assertThatThrownBy(() -> weights.restore(new double[3]))
        .hasMessage("5 numbers expected, got 3");
    double[][] wrong = {
      {Double.NaN, 1, 1, 1, 1},
      {-1, 1, 1, 1, 1},
      {1, -1, 1, 1, 1},
      {1, Double.NaN, 1, 1, 1},
      {1, 1, Double.POSITIVE_INFINITY, 1, 1},
      {1, 1, 1, 1e12, 1},
      {1, 1, 1, 1, -1}
    };
    for (double[] state : wrong) {
      assertThatThrownBy(() -> weights.restore(state)).hasMessageStartingWith("no loss record");
    }
  }
}
