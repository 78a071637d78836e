package io.prescale.controller.demo;

import io.prescale.controller.autoscaling.Explanation;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A minute of a workload, as it ended.
 *
 * @param time at which it began
 * @param observed demand during it; empty where it was not observed
 * @param served what its HPA read last in it; empty where that was an error, and in the history
 * @param wanted pods that the HPA asks for; 0 in the history, where there was none
 * @param ready pods that serve
 * @param reactiveWanted pods that a reactive HPA would ask for
 * @param reactiveReady pods that would serve under a reactive HPA
 * @param why the decision of this minute; empty in the history, and where none was made
 */
record Minute(
    Instant time,
    OptionalDouble observed,
    OptionalDouble served,
    int wanted,
    int ready,
    int reactiveWanted,
    int reactiveReady,
    Optional<Explanation> why) {

  Minute because(Optional<Explanation> explanation) {
    return new Minute(
        time, observed, served, wanted, ready, reactiveWanted, reactiveReady, explanation);
  }
}
