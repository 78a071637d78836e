package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LargestErrorTest {
  @Test
  void boundsByTwiceTheLargestAndByTheLevelUntilEnoughIsSeen() {
    var error = new LargestError(100, 3);
    error.add(-5);
    error.add(2);
    assertThat(error.bounded(1e9, 70)).as("too few errors yet").isEqualTo(70);
    assertThat(error.bounded(1e9, 7)).as("seen already").isCloseTo(10, within(0.2));
    error.add(Double.NaN);
    assertThat(error.bounded(-1e9, 70)).isEqualTo(-70);
    error.add(1);
    assertThat(error.bounded(1e9, 70)).isCloseTo(10, within(0.2));
    assertThat(error.bounded(-1e9, 70)).isCloseTo(-10, within(0.2));
    assertThat(error.bounded(7, 70)).isEqualTo(7);
  }

  @Test
  void fadesToAHalf() {
    var error = new LargestError(100, 1);
    error.add(8);
    for (int i = 0; i < 100; i++) {
      error.add(0.1);
    }
    assertThat(error.bounded(100, 0)).isCloseTo(8, within(1e-6));
  }

  @Test
  void continuesFromItsState() {
    var error = new LargestError(100, 2);
    error.add(8);
    var restored = new LargestError(100, 2);
    restored.restore(error.state());
    restored.add(0);
    assertThat(restored.bounded(100, 0)).isCloseTo(16, within(0.2));
  }

  @ParameterizedTest
  @CsvSource({"-1, 0", "NaN, 0", "Infinity, 1", "1, -1", "1, 3", "1, NaN"})
  void refusesAnotherState(double largest, double seen) {
    assertThatThrownBy(() -> new LargestError(100, 2).restore(new double[] {largest, seen}))
        .hasMessage("no largest error: " + largest + ", " + seen);
  }
}
