package io.prescale.controller.operator.scalein;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A serving pod that a scale-in may remove.
 *
 * @param work that it has in flight; empty while that is unknown
 * @param mark the deletion cost that Prescale has given it
 */
record Candidate(String name, String uid, OptionalDouble work, Optional<Mark> mark) {
  Candidate {
    if (work.isPresent() && !(work.getAsDouble() >= 0 && Double.isFinite(work.getAsDouble()))) {
      throw new IllegalArgumentException("work in flight of " + work.getAsDouble());
    }
  }

  /**
   * A deletion cost of Prescale's.
   *
   * @param since when it was written
   */
  record Mark(int cost, Instant since) {}

  boolean isKnown() {
    return work.isPresent();
  }

  double knownWork() {
    return work.orElseThrow();
  }
}
