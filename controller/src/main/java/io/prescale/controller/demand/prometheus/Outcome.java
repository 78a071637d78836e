package io.prescale.controller.demand.prometheus;

import java.time.Duration;
import java.util.Optional;

/** The outcome of one attempt at a request. */
sealed interface Outcome {

  /** The attempt succeeded. */
  record Answered(RangeAnswer answer) implements Outcome {}

  /**
   * The attempt failed.
   *
   * @param kind of problem
   * @param problem a sentence without its subject, the server
   * @param mayWorkLater whether a retry may succeed
   * @param askedPause how long the server asked to back off
   */
  record Failed(
      Problem kind,
      String problem,
      boolean mayWorkLater,
      Duration askedPause,
      Optional<Throwable> cause)
      implements Outcome {}
}
