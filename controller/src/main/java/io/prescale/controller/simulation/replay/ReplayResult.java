package io.prescale.controller.simulation.replay;

import java.util.List;

/**
 * Everything that a replay found.
 *
 * @param runs in the order of the policies, the clairvoyant last
 */
public record ReplayResult(ReplaySettings settings, TraceInfo trace, List<PolicyRun> runs) {

  public ReplayResult {
    runs = List.copyOf(runs);
  }
}
