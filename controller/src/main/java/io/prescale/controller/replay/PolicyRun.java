package io.prescale.controller.replay;

import java.util.List;
import java.util.Optional;

/**
 * One policy's replay.
 *
 * @param ticks one a minute over the whole trace: while history builds up the replicas of the HPA
 *     that the policy saw, and from the first scored minute on those that were scored
 * @param explanations one a minute, empty where the policy gave none
 */
public record PolicyRun(
    PolicyOutcome outcome, List<Tick> ticks, List<Optional<Explanation>> explanations) {

  public PolicyRun {
    if (ticks.size() != explanations.size()) {
      throw new IllegalArgumentException(
          ticks.size() + " ticks, " + explanations.size() + " explanations");
    }
    ticks = List.copyOf(ticks);
    explanations = List.copyOf(explanations);
  }
}
