package io.prescale.forecasting.classic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/**
 * References: statsmodels 0.15.0, {@code OLS} of airline passengers on a line and two harmonics.
 */
class NormalEquationsTest {
  private final NormalEquations equations = airline();

  @Test
  void allColumnsAgreeWithStatsmodels() {
    int[] all = {0, 1, 2, 3, 4, 5};
    var solution = equations.solve(all);

    assertThat(solution)
        .containsExactly(
            new double[] {470.752808, -45.485702, 5.477824, 19.427584, 16.232829, 383.57209},
            within(1e-3)); // the ridge is 1e-7
    assertThat(equations.residualSquares(all, solution)).isCloseTo(103957.48674, within(0.01));
  }

  @Test
  void aSubsetIsARegressionOfItsOwn() {
    int[] line = {0, 5};
    var solution = equations.solve(line);

    assertThat(solution).containsExactly(new double[] {470.287261, 382.634483}, within(1e-3));
    assertThat(equations.residualSquares(line, solution)).isCloseTo(301219.11849, within(0.01));
  }

  @Test
  void equalColumnsShareWhatOneWouldHave() {
    var twice = new NormalEquations(2);
    for (int i = 0; i < 50; i++) {
      twice.add(new double[] {i % 5, i % 5}, 6.0 * (i % 5));
    }
    assertThat(twice.solve(new int[] {0, 1})).containsExactly(new double[] {3, 3}, within(1e-5));
  }

  private static NormalEquations airline() {
    var passengers = PublishedData.airlinePassengers();
    int size = passengers.length;
    var equations = new NormalEquations(6);
    for (int i = 0; i < size; i++) {
      double angle = 2 * Math.PI * i / 12;
      double[] row = {
        1,
        Math.cos(angle),
        Math.sin(angle),
        Math.cos(2 * angle),
        Math.sin(2 * angle),
        (i - (size - 1.0)) / size
      };
      equations.add(row, passengers[i]);
    }
    return equations;
  }
}
