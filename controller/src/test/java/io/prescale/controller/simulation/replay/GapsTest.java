package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GapsTest {

  private static final double MISSING = Double.NaN;

  @Test
  void drawsAStraightLineAcrossAGap() {
    assertThat(Gaps.bridged(new double[] {1, MISSING, MISSING, MISSING, 9, MISSING, 5}))
        .containsExactly(1, 3, 5, 7, 9, 7, 5);
  }

  @Test
  void continuesTheNearestValueAtTheEnds() {
    assertThat(Gaps.bridged(new double[] {MISSING, MISSING, 4, 6, MISSING}))
        .containsExactly(4, 4, 4, 6, 6);
  }

  @Test
  void leavesWhatWasNeverObservedUnknown() {
    assertThat(Gaps.bridged(new double[] {MISSING, MISSING})).containsExactly(MISSING, MISSING);
    assertThat(Gaps.bridged(new double[0])).isEmpty();
  }

  @Test
  void leavesItsInputAlone() {
    double[] observed = {1, MISSING, 3};

    Gaps.bridged(observed);

    assertThat(observed).containsExactly(1, MISSING, 3);
  }
}
