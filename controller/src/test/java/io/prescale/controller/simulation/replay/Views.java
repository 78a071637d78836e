package io.prescale.controller.simulation.replay;

import java.time.Instant;
import java.util.Arrays;

/** What a policy sees in a test. */
final class Views {

  private Views() {}

  /** At the end of these observations, one a minute. */
  static View after(double... observed) {
    return at(observed.length, observed);
  }

  /** At a minute in the middle of them; those to come are out of sight. */
  static View at(int minute, double... observed) {
    return new View(Instant.EPOCH, minute, Arrays.copyOf(observed, minute), 3, 2);
  }
}
