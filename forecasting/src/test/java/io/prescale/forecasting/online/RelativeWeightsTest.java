package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RelativeWeightsTest {
  private static final double[] PRESENT = {1};
  private static final double[] @Nullable [] BOTH = {PRESENT, PRESENT};
  private static final int DAY = 1440;

  @Test
  void withoutARecordThePriorCounts() {
    var weights = new RelativeWeights(new double[] {3, 1}, 8, DAY);
    assertThat(weights.weights(BOTH)).containsExactly(0.75, 0.25);
  }

  @Test
  void followsTheBetterForecaster() {
    var weights = new RelativeWeights(new double[] {1, 1}, 8, 100);
    for (int i = 0; i < 10_000; i++) {
      weights.add(1.0, 1.1);
    }
    // The median is 1.05; doubt adds a fourteenth of the median's: ((1.1 / 1.05 + 1/14) /
    // (1 / 1.05 + 1/14))^-8 = 0.490
    assertThat(weights.weights(BOTH)[0]).isCloseTo(1 / 1.490, within(1e-3));
    for (int i = 0; i < 200; i++) {
      weights.add(1, 2);
    }
    assertThat(weights.weights(BOTH)).as("a poor one is left out").containsExactly(1, 0);
  }

  @Test
  void aHigherPowerFollowsTheBetterForecasterFurther() {
    var weights = new RelativeWeights(new double[] {1, 1}, 12, 100);
    for (int i = 0; i < 10_000; i++) {
      weights.add(1.0, 1.1);
    }
    // As above, to the power of 12: 0.343
    assertThat(weights.weights(BOTH)[0]).isCloseTo(1 / 1.343, within(1e-3));
  }

  @Test
  void changesSidesWithinHoursAfterTheBetterOneDegrades() {
    var weights = new RelativeWeights(new double[] {1, 1}, 8, DAY);
    for (int i = 0; i < 5 * DAY; i++) {
      weights.add(1.0, 1.2);
    }
    assertThat(weights.weights(BOTH)[0]).isGreaterThan(0.75);
    int minutes = 0;
    while (minutes < DAY && weights.weights(BOTH)[1] < 0.75) {
      weights.add(3.0, 1.2);
      minutes++;
    }
    assertThat(minutes).isLessThan(6 * 60);
  }

  @Test
  void theAbsentHaveNoWeightAndLearnNothing() {
    var weights = new RelativeWeights(new double[] {1, 1, 1}, 8, DAY);
    weights.add(1, 1, Double.NaN);
    weights.add(1, Double.NaN, Double.NaN);
    assertThat(weights.weights(new double[] @Nullable [] {PRESENT, null, null}))
        .containsExactly(1, 0, 0);
    assertThat(weights.weights(new double[] @Nullable [] {null, null, null}))
        .containsExactly(0, 0, 0);
    assertThat(weights.weights(new double[] @Nullable [] {PRESENT, null, PRESENT}))
        .as("a newcomer counts as much as the median")
        .containsExactly(0.5, 0, 0.5);
  }

  @Test
  void aNewcomerToAnAccurateCombinationWaits() {
    var weights = new RelativeWeights(new double[] {1, 1, 1, 1}, 8, DAY);
    for (int i = 0; i < DAY; i++) {
      weights.add(1, 30, 40, Double.NaN);
    }
    assertThat(weights.weights(new double[] @Nullable [] {PRESENT, PRESENT, PRESENT, PRESENT}))
        .containsExactly(1, 0, 0, 0);
  }

  @Test
  void oneThatForecastOnlyInQuietTimesGainsNothing() {
    var weights = new RelativeWeights(new double[] {1, 1, 1}, 8, DAY);
    for (int i = 0; i < DAY / 2; i++) {
      weights.add(10, 10, Double.NaN);
    }
    for (int i = 0; i < DAY / 2; i++) {
      weights.add(1, 1, 1);
    }
    assertThat(weights.weights(new double[] @Nullable [] {PRESENT, PRESENT, PRESENT}))
        .containsExactly(1 / 3.0, 1 / 3.0, 1 / 3.0);
  }

  @Test
  void theUnitOfTheLossDoesNotMatter() {
    var small = new RelativeWeights(new double[] {1, 1}, 8, DAY);
    var large = new RelativeWeights(new double[] {1, 1}, 8, DAY);
    for (int i = 0; i < 50; i++) {
      small.add(1e-6, 1.2e-6);
      large.add(1e12, 1.2e12);
    }
    assertThat(small.weights(BOTH)[0]).isCloseTo(large.weights(BOTH)[0], within(1e-9));
  }

  @Test
  void withoutAnyLossAllShare() {
    var weights = new RelativeWeights(new double[] {1, 1}, 8, DAY);
    weights.add(0, 0);
    assertThat(weights.weights(BOTH)).containsExactly(0.5, 0.5);
  }
}
