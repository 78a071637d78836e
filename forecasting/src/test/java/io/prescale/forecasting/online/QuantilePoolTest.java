package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QuantilePoolTest {
  private static final double[] LEVELS = {0.5, 0.8, 0.95};
  private static final Offset<Double> ROUNDING = within(1e-9);
  private final QuantilePool pool = new QuantilePool(LEVELS);

  @Test
  void thoseThatOverlapAreAveragedWithoutTheAbsent() {
    double[] @Nullable [] members = {{10, 12, 15}, null, {14, 20, 23}};
    assertThat(pool.together(members, new double[] {0.25, 0, 0.75})).containsExactly(13, 18, 21);
  }

  @Test
  void whereOneForeseesARiseAndOthersDoNotTheHighQuantilesAreThatOnes() {
    double[] @Nullable [] members = {{17, 18, 20}, {17, 18, 20}, {65, 67, 69}};
    double third = 1 / 3.0;
    double[] together = pool.together(members, new double[] {third, third, third});
    // 2/3 are below 21; the other 0.4 of the last lie below its median by a third of its 80 %
    assertThat(together[1]).isCloseTo(65 - 2 / 3.0, ROUNDING);
    // 95 % is 0.85 of it, a third of the way from 80 to 95 %
    assertThat(together[2]).isCloseTo(67 + 2 / 3.0, ROUNDING);
    assertThat(together[0]).as("three quarters of the others").isBetween(17.0, 18.0);
  }

  /** A rounding that moves a member across another's quantile must not move the result. */
  @Test
  void fromTheMeanToTheMixtureThereIsNoJump() {
    double[] shares = {0.5, 0.5};
    double before = pool.together(new double[][] {{10, 11, 14}, {13, 15, 18}}, shares)[2];
    for (double rise = 0.01; rise < 10; rise += 0.01) {
      double[][] members = {{10, 11, 14}, {13 + rise, 15 + rise, 18 + rise}};
      double now = pool.together(members, shares)[2];
      assertThat(now - before).as("risen by %s", rise).isBetween(0.0, 0.02);
      before = now;
    }
    assertThat(before).as("the risen one's 90 %").isCloseTo(17 + 10, within(0.02));
  }

  @Test
  void aMemberWithoutWidthMakesNoJumpEither() {
    double[] shares = {0.5, 0.5};
    double[] touching = pool.together(new double[][] {{5, 5, 5}, {5, 8, 12}}, shares);
    double[] apart = pool.together(new double[][] {{5, 5, 5}, {5 + 1e-9, 8, 12}}, shares);
    assertThat(apart).containsExactly(touching, within(1e-8));
  }

  /** A point whose errors are nearly all negative lies above its higher quantiles. */
  @Test
  void theMedianOfAMemberMayBeItsHighestQuantile() {
    double[] shares = {0.5, 0.5};
    double[][] members = {{100, 95, 99.9}, {120, 125, 130}};
    double[] together = pool.together(members, shares);
    assertThat(together[1]).isBetween(120.0, 125.0);
    assertThat(together[2]).isBetween(125.0, 130.0);
    double[][] one = {{100, 95, 99}};
    assertThat(pool.together(one, new double[] {1})).containsExactly(100, 95, 99);
  }

  @Test
  void oneWithoutAShareDoesNotCount() {
    double[] @Nullable [] members = {{17, 18, 20}, {65, 67, 69}};
    assertThat(pool.together(members, new double[] {1, 0})).containsExactly(17, 18, 20);
  }

  @Test
  void certainForecastsAreMixedToo() {
    double[] @Nullable [] members = {{0, 0, 0}, {7, 7, 7}};
    assertThat(pool.together(members, new double[] {0.9, 0.1}))
        .satisfies(
            it -> assertThat(it[0]).isCloseTo(0, ROUNDING),
            it -> assertThat(it[1]).isCloseTo(0, ROUNDING),
            it -> assertThat(it[2]).isCloseTo(7, ROUNDING));
  }

  /** Drawn from each member by its share, as many lie below the quantiles as their levels say. */
  @Test
  void theMixtureIsThatOfDrawsFromItsMembers() {
    var random = new SplittableRandom(1);
    double[][] members = {{3, 5, 9}, {40, 41, 46}, {28, 39, 50}};
    double[] weights = {0.55, 0.15, 0.3};
    double[] together = pool.together(members, weights);
    double[] drawn =
        random
            .doubles(200_000)
            .map(
                share -> {
                  int m = share < 0.55 ? 0 : share < 0.7 ? 1 : 2;
                  return draw(members[m], random);
                })
            .toArray();
    for (int q = 0; q < LEVELS.length; q++) {
      double quantile = together[q];
      double below = Arrays.stream(drawn).filter(it -> it <= quantile).count() / 200_000.0;
      assertThat(below).isCloseTo(LEVELS[q], within(0.004));
    }
  }

  /** From the distribution that is linear between quantiles, and the same on both sides. */
  private static double draw(double[] member, SplittableRandom random) {
    double level = 0.5 + random.nextDouble() / 2;
    int q = level < 0.8 ? 1 : 2;
    double slope = (member[q] - member[q - 1]) / (LEVELS[q] - LEVELS[q - 1]);
    double distance = member[q - 1] - member[0] + slope * (level - LEVELS[q - 1]);
    return random.nextBoolean() ? member[0] + distance : member[0] - distance;
  }

  @Test
  void theMeanOfQuantilesLeavesTheAbsentOut() {
    double[] @Nullable [] members = {{1, 10}, null, {3, 20}};
    assertThat(QuantilePool.mean(members, new double[] {0.25, 0, 0.75}, 2))
        .containsExactly(2.5, 17.5);
  }
}
