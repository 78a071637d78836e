package io.prescale.forecasting.classic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeriodicProfileTest {
  private final PeriodicProfile profile = new PeriodicProfile(new double[] {0, 8, 4, -4});

  static double[] knots(PeriodicProfile profile) {
    return IntStream.range(0, profile.size())
        .mapToDouble(knot -> profile.at((double) knot / profile.size()))
        .toArray();
  }

  @Test
  void isLinearBetweenKnotsAndAroundTheEnd() {
    assertThat(profile.at(0)).isZero();
    assertThat(profile.at(0.25)).isEqualTo(8);
    assertThat(profile.at(0.375)).isEqualTo(6);
    assertThat(profile.at(0.875)).isEqualTo(-2);
    assertThat(profile.at(Math.nextDown(1.0))).isCloseTo(0, within(1e-9));
  }

  @Test
  void anAdjustmentIsSharedByTheKnotsAround() {
    profile.adjust(0.875, 2);
    assertThat(knots(profile)).containsExactly(1, 8, 4, -3);
    profile.adjust(0.25, 2);
    assertThat(knots(profile)).containsExactly(1, 10, 4, -3);
  }

  @Test
  void centringTakesTheMeanOut() {
    assertThat(profile.centre()).isEqualTo(2);
    assertThat(knots(profile)).containsExactly(-2, 6, 2, -6);
  }

  @Test
  void aCopyIsIndependent() {
    profile.copy().adjust(0, 5);
    assertThat(profile.at(0)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "PT12H, PT1H, 12", "PT24H, PT5M, 288", "PT24H, PT1M, 288", "PT168H, PT1M, 336",
    "PT168H, PT1H, 168", "PT45M, PT1M, 45", "PT45M, PT7M, 6", "PT24H, PT24H, 1"
  })
  void hasAsManyKnotsAsStepsUpToALimit(Duration period, Duration step, int knots) {
    assertThat(PeriodicProfile.knotsFor(period, step)).isEqualTo(knots);
  }
}
