package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ErrorDistributionTest {
  private static final double[] LEVELS = {0.01, 0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.998};

  @Test
  void quantilesAreThoseOfTheSortedErrors() {
    var random = new Random(1);
    double[] errors = random.doubles(20_000).map(u -> Math.tan(3 * (u - 0.5))).toArray();
    var distribution = new ErrorDistribution(1e9, 1e-9, 1);
    Arrays.stream(errors).forEach(distribution::add);
    Arrays.sort(errors);
    for (double level : LEVELS) {
      double expected = errors[(int) Math.ceil(level * errors.length) - 1];
      double tolerance = 0.004 + 0.016 * Math.abs(expected);
      assertThat(quantile(distribution, level))
          .as("level %s", level)
          .isCloseTo(expected, within(tolerance));
    }
  }

  @Test
  void severalQuantilesInOnePassAreTheSame() {
    var distribution = new ErrorDistribution(500, 100, 0.5);
    new Random(2).doubles(3000, -3, 8).forEach(distribution::add);
    var together = new double[LEVELS.length];
    distribution.quantiles(LEVELS, together);
    for (int q = 0; q < LEVELS.length; q++) {
      assertThat(together[q]).isCloseTo(quantile(distribution, LEVELS[q]), within(1e-9));
    }
    assertThat(together).isSorted();
  }

  @Test
  void withoutErrorsThePriorApplies() {
    var distribution = new ErrorDistribution(1440, 200, 0.6);
    assertThat(quantile(distribution, 0.5)).isCloseTo(0, within(0.01));
    assertThat(quantile(distribution, 0.95)).isCloseTo(0.6 * 1.6449, within(0.02));
    assertThat(quantile(distribution, 0.05)).isCloseTo(-0.6 * 1.6449, within(0.02));
  }

  @Test
  void halfTheWeightIsYoungerThanAHalfLife() {
    var distribution = new ErrorDistribution(100, 1e-9, 1);
    for (int i = 0; i < 5000; i++) {
      distribution.add(-2);
    }
    for (int i = 0; i < 100; i++) {
      distribution.add(5);
    }
    assertThat(quantile(distribution, 0.49)).isCloseTo(-2, within(0.05));
    assertThat(quantile(distribution, 0.51)).isCloseTo(5, within(0.1));
    for (int i = 0; i < 600; i++) {
      distribution.add(5);
    }
    assertThat(quantile(distribution, 0.01)).as("1 in 128 is old").isCloseTo(5, within(0.1));
  }

  @Test
  void staysAccurateWhenItsWeightsAreRescaled() {
    var distribution = new ErrorDistribution(10, 1, 1); // rescales every 3300 errors
    for (int i = 0; i < 50_000; i++) {
      distribution.add(i % 2 == 0 ? 1 : 3);
    }
    assertThat(quantile(distribution, 0.3)).isCloseTo(1, within(0.03));
    assertThat(quantile(distribution, 0.7)).isCloseTo(3, within(0.06));
  }

  @Test
  void ignoresWhatIsMissingAndCountsWhatIsBeyondItsRange() {
    var distribution = new ErrorDistribution(1e6, 1, 1);
    double before = quantile(distribution, 0.9);
    distribution.add(Double.NaN);
    assertThat(quantile(distribution, 0.9)).isEqualTo(before);
    for (int i = 0; i < 1000; i++) {
      distribution.add(i % 2 == 0 ? Double.POSITIVE_INFINITY : -1e300);
    }
    assertThat(quantile(distribution, 0.9)).isCloseTo(100, within(2.0));
    assertThat(quantile(distribution, 0.1)).isCloseTo(-100, within(2.0));
  }

  @Test
  void aRestoredStateGivesNearlyTheSameQuantilesAndContinuesAlike() {
    var distribution = new ErrorDistribution(300, 100, 0.5);
    new Random(3).doubles(2000, -1, 2).forEach(distribution::add);
    var restored = new ErrorDistribution(300, 100, 0.5);
    restored.restore(distribution.state());
    for (int i = 0; i < 500; i++) {
      distribution.add(i % 7);
      restored.add(i % 7);
    }
    for (double level : LEVELS) {
      assertThat(quantile(restored, level)).isCloseTo(quantile(distribution, level), within(0.02));
    }
  }

  @Test
  void refusesAnInvalidState() {
    var distribution = new ErrorDistribution(300, 100, 0.5);
    int bins = distribution.state().length;
    assertThatThrownBy(() -> distribution.restore(new double[3]))
        .hasMessage(bins + " bins expected, got 3");
    assertThatThrownBy(() -> distribution.restore(new double[bins]))
        .hasMessageContaining("no weight");
    for (double wrong : new double[] {Double.NaN, -1e-9, Double.POSITIVE_INFINITY, 1e101}) {
      double[] state = distribution.state();
      state[500] = wrong;
      assertThatThrownBy(() -> distribution.restore(state))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("weight");
    }
    assertThat(quantile(distribution, 0.95)).as("untouched").isCloseTo(0.82, within(0.02));
  }

  private static double quantile(ErrorDistribution distribution, double level) {
    var quantile = new double[1];
    distribution.quantiles(new double[] {level}, quantile);
    return quantile[0];
  }
}
