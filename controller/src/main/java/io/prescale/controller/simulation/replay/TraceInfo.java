package io.prescale.controller.simulation.replay;

import io.prescale.forecasting.HistoryLength;
import java.time.Instant;

/**
 * The demand that was replayed.
 *
 * @param length how much of it was observed
 * @param missingMinutes minutes of the whole trace without an observation
 * @param scoredFrom first minute that counts in the scores
 * @param interpolatedMinutes minutes of the scored part that had no observation: the policies did
 *     not see them, the scores use a straight line between the neighbours
 * @param meanDemand over the scored part
 * @param peakDemand over the scored part
 */
public record TraceInfo(
    Instant start,
    int minutes,
    HistoryLength length,
    int missingMinutes,
    int scoredFrom,
    int interpolatedMinutes,
    double meanDemand,
    double peakDemand) {

  public int scoredMinutes() {
    return minutes - scoredFrom;
  }
}
