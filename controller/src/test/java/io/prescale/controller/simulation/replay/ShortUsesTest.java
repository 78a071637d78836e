package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShortUsesTest {
  private final ShortUses uses = new ShortUses(1);

  @Test
  void thoseThatBeganLastStopFirst() {
    uses.serve(3, 0);
    uses.serve(2, 10);

    uses.stop(4, 15);
    assertThat(uses.count()).as("two for 5 minutes, two for 15").isEqualTo(2);
    uses.stop(4, 15);
    assertThat(uses.count()).as("one is left, and any others were there at first").isEqualTo(2);
  }

  /** A wrong unit makes the clairvoyant's as many as an int holds. */
  @Test
  void replicasWithoutNumberTakeNoMemory() {
    for (int minute = 0; minute < 1000; minute++) {
      uses.serve(Integer.MAX_VALUE, minute);
      uses.stop(Integer.MAX_VALUE, minute + 1);
    }

    assertThat(uses.count()).isEqualTo(1000L * Integer.MAX_VALUE);
  }
}
