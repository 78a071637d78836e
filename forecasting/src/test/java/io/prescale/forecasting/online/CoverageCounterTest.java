package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CoverageCounterTest {
  private static final double[] LEVELS = {0.5, 0.9};

  @Test
  void countsTheShareAtOrBelow() {
    var counter = new CoverageCounter(LEVELS, 1000);
    assertThat(counter.share(0.9)).as("nothing counted yet").isEmpty();
    for (int i = 0; i < 10; i++) {
      counter.add(i, new double[] {4, 8});
    }
    assertThat(counter.share(0.5)).hasValueCloseTo(0.5, within(1e-12));
    assertThat(counter.share(0.9)).hasValueCloseTo(0.9, within(1e-12));
    assertThat(counter.share(0.8)).as("not forecast").isEmpty();
  }

  @Test
  void fades() {
    var counter = new CoverageCounter(LEVELS, 100);
    for (int i = 0; i < 1000; i++) {
      counter.add(1, new double[] {5, 5});
    }
    for (int i = 0; i < 100; i++) {
      counter.add(9, new double[] {5, 5});
    }
    assertThat(counter.share(0.5)).hasValueCloseTo(Math.exp(-1), within(0.01));
  }

  @Test
  void restoresItsStateAndRefusesOthers() {
    var counter = new CoverageCounter(LEVELS, 100);
    counter.add(5, new double[] {4, 8});
    var restored = new CoverageCounter(LEVELS, 100);
    restored.restore(counter.state());
    restored.add(9, new double[] {4, 8});
    assertThat(restored.share(0.9)).hasValue(0.5);
    double[][] wrong = {
      {}, {1, 0.5}, {-1, 0.5, 0.5}, {Double.NaN, 0.5, 0.5}, {1, 1.5, 0.5}, {1, Double.NaN, 0.5}
    };
    for (double[] state : wrong) {
      assertThatThrownBy(() -> counter.restore(state))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("coverage record");
    }
  }
}
