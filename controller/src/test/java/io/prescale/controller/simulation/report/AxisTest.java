package io.prescale.controller.simulation.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class AxisTest {

  @Test
  void linearStepsAreRound() {
    Axis axis = Axis.Linear.covering(1, 1.94, 8);

    assertThat(axis.ticks()).hasSize(6).startsWith(1.0).endsWith(2.0);
    assertThat(axis.at(1.5)).isCloseTo(0.5, within(1e-12));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "0, 0", "0.5, 0.5", "1e9, 1e9", "1, 1.0000001", "-3, 1e6"})
  void coversAnySpan(double lowest, double highest) {
    Axis axis = Axis.Linear.covering(lowest, highest, 5);

    assertThat(axis.at(lowest)).isBetween(-1e-6, 1 + 1e-6);
    assertThat(axis.at(highest)).isBetween(-1e-6, 1 + 1e-6);
    assertThat(axis.ticks()).hasSizeBetween(2, 9).isSorted();
  }

  @Test
  void sharesFarApartStandOnALogarithmicAxisWithZeroAtItsFoot() {
    Axis axis = Axis.forShares(new double[] {0, 0.0031, 0.051});

    assertThat(axis).isEqualTo(new Axis.Logarithmic(0.002, 0.1));
    assertThat(axis.ticks()).containsExactly(0.0, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1);
    assertThat(axis.at(0)).isZero();
    assertThat(axis.at(0.002)).isEqualTo(Axis.Logarithmic.BREAK);
    assertThat(axis.at(0.1)).isEqualTo(1);
  }

  @Test
  void sharesCloseTogetherStandOnALinearAxisFromZero() {
    assertThat(Axis.forShares(new double[] {0, 0.01, 0.05}))
        .isEqualTo(new Axis.Linear(0, 0.05, 0.01));
  }

  @Test
  void noOverloadAtAllStillHasAnAxis() {
    assertThat(Axis.forShares(new double[] {0, 0}).ticks()).startsWith(0.0).hasSizeGreaterThan(2);
    assertThat(Axis.forShares(new double[0]).ticks()).startsWith(0.0).hasSizeGreaterThan(2);
  }

  @Test
  void overManyPowersOfTenOnlyThesesAreMarked() {
    assertThat(Axis.forShares(new double[] {0.00001, 0.9}).ticks())
        .containsExactly(0.0, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0);
  }

  static IntStream seeds() {
    return IntStream.range(0, 50);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyShareHasItsPlaceInOrder(int seed) {
    var random = new SplittableRandom(seed);
    double[] shares = random.doubles(12).map(d -> Math.pow(10, -6 * d)).sorted().toArray();

    Axis axis = Axis.forShares(shares);

    double before = -1;
    for (double share : shares) {
      assertThat(axis.at(share)).isGreaterThan(before).isBetween(0.0, 1 + 1e-9);
      before = axis.at(share);
    }
  }
}
