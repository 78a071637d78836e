package io.prescale.controller.demand.prometheus;

import java.time.Duration;
import java.util.Optional;

/** How one attempt at a request ended. */
sealed interface Outcome {

  /** With what was asked for. */
  record Answered(RangeAnswer answer) implements Outcome {}

  /**
   * With nothing usable.
   *
   * @param kind of problem
   * @param problem the rest of a sentence that begins with the server
   * @param mayWorkLater whether the same request may have another outcome soon
   * @param askedPause how long the server asked to wait before
   */
  record Failed(
      Problem kind,
      String problem,
      boolean mayWorkLater,
      Duration askedPause,
      Optional<Throwable> cause)
      implements Outcome {}
}
