package io.prescale.controller.simulation.replay;

/**
 * What a policy made of the permission to have no replicas, over the scored part of the trace.
 *
 * @param hours without any replica: the replica-hours that one kept replica would have cost more
 * @param firstRequests times that demand came while no replica was ready
 * @param waitedMinutes in all of these, until one was ready or was given up
 * @param longestWaitMinutes of one of these
 */
public record AtZero(
    double hours, int firstRequests, double waitedMinutes, double longestWaitMinutes) {
  /** The mean wait of a first request; 0 when none waited. */
  public double meanWaitMinutes() {
    return firstRequests == 0 ? 0 : waitedMinutes / firstRequests;
  }
}
