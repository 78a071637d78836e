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
      weights.add(0, 1);
      weights.add(1, 1);
    }
    assertThat(weights.weights(BOTH)).containsExactly(0.5, 0.5);
  }

  @Test
  void followsTheBetterForecaster() {
    var weights = new PinballWeights(new double[] {1, 1}, 2, DAY);
    for (int i = 0; i < 100; i++) {
      weights.add(0, 1.0);
      weights.add(1, 1.1);
    }
    // 1.1^-4 = 0.683
    assertThat(weights.weights(BOTH)[0]).isCloseTo(1 / 1.683, within(1e-3));
    for (int i = 0; i < 100; i++) {
      weights.add(1, 2);
    }
    assertThat(weights.weights(BOTH)).as("a poor one is left out").containsExactly(1, 0);
  }

  @Test
  void changesSidesWithinHoursAfterTheBetterOneDegrades() {
    var weights = new PinballWeights(new double[] {1, 1}, 2, DAY);
    for (int i = 0; i < 5 * DAY; i++) {
      weights.add(0, 1.0);
      weights.add(1, 1.2);
    }
    assertThat(weights.weights(BOTH)[0]).isGreaterThan(0.6);
    int minutes = 0;
    while (minutes < DAY && weights.weights(BOTH)[1] < 0.6) {
      weights.add(0, 3.0);
      weights.add(1, 1.2);
      minutes++;
    }
    assertThat(minutes).isLessThan(6 * 60);
  }

  @Test
  void theAbsentHaveNoWeightAndLearnNothing() {
    var weights = new PinballWeights(new double[] {1, 1, 1}, 3, DAY);
    weights.add(0, 1);
    weights.add(1, 1);
    weights.add(1, Double.NaN);
    assertThat(weights.state()).as("loss and count of each").containsExactly(1, 1, 1, 1, 0, 0);
    assertThat(weights.weights(new double[] @Nullable [] {PRESENT, null, null}))
        .containsExactly(1, 0, 0);
    assertThat(weights.weights(new double[] @Nullable [] {null, null, null}))
        .containsExactly(0, 0, 0);
    assertThat(weights.weights(new double[] @Nullable [] {PRESENT, null, PRESENT}))
        .as("a newcomer gets the weight of the best")
        .containsExactly(0.5, 0, 0.5);
  }

  @Test
  void theUnitOfTheLossDoesNotMatter() {
    var small = new PinballWeights(new double[] {1, 1}, 2, DAY);
    var large = new PinballWeights(new double[] {1, 1}, 2, DAY);
    for (int i = 0; i < 50; i++) {
      small.add(0, 1e-6);
      small.add(1, 1.2e-6);
      large.add(0, 1e12);
      large.add(1, 1.2e12);
    }
    assertThat(small.weights(BOTH)[0]).isCloseTo(large.weights(BOTH)[0], within(1e-9));
  }

  @Test
  void withoutAnyLossAllShare() {
    var weights = new PinballWeights(new double[] {1, 1}, 2, DAY);
    weights.add(0, 0);
    weights.add(1, 0);
    assertThat(weights.weights(BOTH)).containsExactly(0.5, 0.5);
  }

  @Test
  void aRestoredStateIsTheSame() {
    var weights = new PinballWeights(new double[] {1, 1}, 2, 100);
    for (int i = 0; i < 70; i++) {
      weights.add(0, i);
      weights.add(1, 1.02 * i);
    }
    var restored = new PinballWeights(new double[] {1, 1}, 2, 100);
    restored.restore(weights.state());
    weights.add(0, 20);
    restored.add(0, 20);
    assertThat(restored.weights(BOTH)).containsExactly(weights.weights(BOTH));
    assertThat(restored.state()).containsExactly(weights.state());
  }

  @Test
  void refusesAnInvalidState() {
    var weights = new PinballWeights(new double[] {1, 1}, 2, DAY);
    assertThatThrownBy(() -> weights.restore(new double[3]))
        .hasMessage("4 numbers expected, got 3");
    double[][] wrong = {
      {Double.NaN, 1, 1, 1},
      {-1, 1, 1, 1},
      {1, -1, 1, 1},
      {1, Double.NaN, 1, 1},
      {1, 1, Double.POSITIVE_INFINITY, 1},
      {1, 1, 1, 1e12}
    };
    for (double[] state : wrong) {
      assertThatThrownBy(() -> weights.restore(state)).hasMessageStartingWith("no loss record");
    }
  }

  @Test
  void theMeanOfQuantilesLeavesTheAbsentOut() {
    double[] @Nullable [] members = {{1, 10}, null, {3, 20}};
    assertThat(PinballWeights.mean(members, new double[] {0.25, 0, 0.75}, 2))
        .containsExactly(2.5, 17.5);
  }
}
