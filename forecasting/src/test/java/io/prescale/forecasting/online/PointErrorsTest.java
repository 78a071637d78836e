package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PointErrorsTest {
  private static final double[] LEVELS = {0.1, 0.5, 0.9};

  @Test
  void withoutErrorsTheFallbackGivesTheWidth() {
    var quantiles = new PointErrors(LEVELS, 100).around(50, 10);
    assertThat(quantiles[1]).isEqualTo(50);
    assertThat(quantiles[2]).isCloseTo(50 + 10 * 1.2533 * 1.2816, within(0.01));
    assertThat(quantiles[0]).isCloseTo(50 - 10 * 1.2533 * 1.2816, within(0.01));
  }

  @Test
  void learnsASkewedDistribution() {
    var errors = new PointErrors(LEVELS, 2000);
    var random = new Random(1);
    double high = 0;
    double low = 0;
    for (int i = 0; i < 30_000; i++) {
      errors.learn(-3 * Math.log(random.nextDouble())); // exponential with mean 3
      if (i >= 10_000) {
        double[] quantiles = errors.around(0, 1);
        high += quantiles[2] / 20_000;
        low += quantiles[0] / 20_000;
      }
    }
    assertThat(high).isCloseTo(3 * Math.log(10), within(0.7));
    assertThat(low).isCloseTo(-3 * Math.log(0.9), within(0.3));
  }

  @Test
  void missingErrorsChangeNothing() {
    var errors = new PointErrors(LEVELS, 100);
    errors.learn(4);
    var before = errors.around(50, 1);
    errors.learn(Double.NaN);
    assertThat(errors.around(50, 1)).containsExactly(before);
  }

  @Test
  void aForecasterThatIsAlwaysRightHasNoWidth() {
    var errors = new PointErrors(LEVELS, 100);
    for (int i = 0; i < 10; i++) {
      errors.learn(0);
    }
    assertThat(errors.around(50, 1)).containsExactly(50, 50, 50);
  }
}
