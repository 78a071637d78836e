package io.prescale.controller.demo;

import io.prescale.controller.autoscaling.Explanation;
import java.time.Instant;
import java.util.Optional;

/**
 * A minute of a workload, as it ended.
 *
 * @param time at which it began
 * @param demand during it
 * @param wanted pods that the HPA asks for; 0 in the history, where there was none
 * @param ready pods that serve
 * @param reactiveWanted pods that a reactive HPA would ask for
 * @param reactiveReady pods that would serve under a reactive HPA
 * @param why the decision of this minute; empty in the history
 */
record Minute(
    Instant time,
    double demand,
    int wanted,
    int ready,
    int reactiveWanted,
    int reactiveReady,
    Optional<Explanation> why) {

  Minute because(Optional<Explanation> explanation) {
    return new Minute(time, demand, wanted, ready, reactiveWanted, reactiveReady, explanation);
  }
}
