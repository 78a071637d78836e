package io.prescale.controller.autoscaling;

import java.util.OptionalDouble;

/**
 * What to serve to the HPA, and why.
 *
 * @param servedValue of the external metric, with the demand that one replica carries as target;
 *     empty only when nothing is known
 * @param desiredReplicas what the HPA will make of it, before its own limits
 * @param shortageProbability that demand exceeds these replicas in the window; empty without a
 *     forecast
 * @param reason which rule decided
 */
public record ScalingDecision(
    OptionalDouble servedValue,
    int desiredReplicas,
    OptionalDouble shortageProbability,
    Reason reason) {
  /** The rule that decided. */
  public enum Reason {
    /** The replicas whose cost and risk of shortage are least together. */
    FORECAST,
    /** The newest observation is higher than what the forecast asks for. */
    NEVER_BELOW_OBSERVED,
    /** There is no forecast yet; the newest observation is served. */
    NO_FORECAST,
    /** Forecasts are not trusted, or not yet; the newest observation is served. */
    NOT_TRUSTED,
    /** The leader changed; its value and plan stand until forecasts can be judged again. */
    HANDED_OVER,
    /** Nothing is known: no value is served, and the HPA keeps its replicas. */
    NOTHING_KNOWN
  }

  public ScalingDecision {
    if (servedValue.isEmpty() != (reason == Reason.NOTHING_KNOWN)) {
      throw new IllegalArgumentException("served %s for %s".formatted(servedValue, reason));
    }
  }
}
