package io.prescale.controller.simulation.replay;

import java.util.List;
import java.util.Optional;

/**
 * One policy's replay.
 *
 * @param ticks one a minute over the whole trace: while history builds up the replicas of the HPA
 *     that the policy saw, and from the first scored minute on those that were scored
 * @param rationales one a minute, empty where the policy gave none
 */
public record PolicyRun(
    PolicyOutcome outcome, List<Tick> ticks, List<Optional<Rationale>> rationales) {

  public PolicyRun {
    if (ticks.size() != rationales.size()) {
      throw new IllegalArgumentException(
          ticks.size() + " ticks, " + rationales.size() + " rationales");
    }
    ticks = List.copyOf(ticks);
    rationales = List.copyOf(rationales);
  }
}
