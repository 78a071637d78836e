package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class QuantileForecastTest {
  private static final double[] LEVELS = {0.1, 0.5, 0.9, 0.99};

  @Test
  void exceedanceIsTheInverseOfTheQuantile() {
    var random = new Random(1);
    for (int round = 0; round < 500; round++) {
      double[] values = random.doubles(4, 1, 1000).sorted().toArray();
      var forecast = of(values);
      for (double level = 0.1; level <= 0.99; level += 0.01) {
        assertThat(forecast.exceedance(forecast.quantile(level)))
            .as("%s at %s", forecast, level)
            .isCloseTo(1 - level, within(1e-6));
      }
    }
  }

  @Test
  void exceedanceNeverIncreases() {
    var random = new Random(2);
    for (int round = 0; round < 200; round++) {
      // Rounded, so that quantiles coincide.
      double[] values = random.doubles(4, 0, 6).map(Math::floor).sorted().toArray();
      var forecast = of(values);
      double before = 1;
      for (double value = -1; value < 20; value += 0.25) {
        double now = forecast.exceedance(value);
        assertThat(now).as("%s at %s", forecast, value).isBetween(0.0, before);
        before = now;
      }
      for (int q = 0; q < LEVELS.length; q++) {
        assertThat(forecast.exceedance(values[q]))
            .as("%s: promised", forecast)
            .isLessThanOrEqualTo(1 - LEVELS[q] + 1e-12);
      }
    }
  }

  @Test
  void theLowerTailFallsAsFastAsBetweenTheLowestTwoQuantiles() {
    var forecast = of(10, 20, 30, 40);
    assertThat(forecast.lowTail(0.1)).isEqualTo(10);
    assertThat(forecast.lowTail(0.02)).as("a fifth, as of 0.5 is 0.1").isCloseTo(0, within(1e-9));
    assertThat(forecast.lowTail(0.001)).isCloseTo(-18.614, within(0.001));
  }

  @Test
  void theUpperTailEndsTwiceTheLastDistanceBeyond() {
    var forecast = of(10, 20, 30, 40);
    assertThat(forecast.exceedance(40)).isCloseTo(0.01, within(1e-12));
    assertThat(forecast.exceedance(50)).isCloseTo(0.005, within(1e-12));
    assertThat(forecast.exceedance(60)).isZero();
    assertThat(forecast.exceedance(1e300)).isZero();
    assertThat(forecast.exceedance(10)).isCloseTo(0.9, within(1e-12));
    assertThat(forecast.exceedance(-5)).isCloseTo(0.9, within(1e-12));
  }

  @Test
  void aCertainForecastIsNeverExceeded() {
    var forecast = of(7, 7, 7, 7);
    assertThat(forecast.exceedance(7)).isZero();
    assertThat(forecast.exceedance(6.9)).isCloseTo(0.9, within(1e-12));
  }

  @Test
  void quantilesAreLinearBetweenLevelsAndConstantBeyond() {
    var forecast = of(10, 20, 30, 40);
    assertThat(forecast.quantile(0.5)).isEqualTo(20);
    assertThat(forecast.quantile(0.7)).isCloseTo(25, within(1e-9));
    assertThat(forecast.quantile(0.01)).isEqualTo(10);
    assertThat(forecast.quantile(0.999)).isEqualTo(40);
  }

  private static QuantileForecast of(double... values) {
    var parts = new ForecastParts(0, 0, 0, 0, 0, List.of());
    return new QuantileForecast(
        Instant.EPOCH, Duration.ofMinutes(5), Duration.ofMinutes(5), LEVELS, values, parts);
  }
}
