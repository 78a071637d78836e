package io.prescale.controller.autoscaling;

import java.util.OptionalDouble;

/**
 * Whether a target that may have no replicas needs one, and by whose word.
 *
 * @param probability that there is demand in the forecast's window; empty without a forecast that
 *     is trusted
 */
public record Activity(Cause cause, OptionalDouble probability) {
  /** What decided, the first that holds. */
  public enum Cause {
    /** The newest observation is above nothing. */
    OBSERVED_DEMAND,
    /** No observation, or no forecast that is trusted: a replica is kept. */
    UNKNOWN,
    /** A declared event takes place, or begins within the lead time. */
    DECLARED_EVENT,
    /**
     * Demand is likelier than the accepted risk, or recently was, and that window has not passed.
     */
    FORECAST,
    /** Nothing: no replica is needed. */
    IDLE
  }

  public Activity {
    probability.ifPresent(
        it -> {
          if (!(it >= 0 && it <= 1)) {
            throw new IllegalArgumentException("probability must be from 0 to 1: " + it);
          }
        });
  }

  public boolean isIdle() {
    return cause == Cause.IDLE;
  }
}
