package io.prescale.controller.simulation.replay;

/** A replay that can run, or why there is none. */
public sealed interface ReplayPlan permits Replay, ReplayPlan.Refused {

  /** Why a trace cannot be replayed. */
  enum Reason {
    /** The step of the series is not one minute. */
    NOT_BY_THE_MINUTE,
    /** Less than an hour is left to score after the part that is skipped. */
    TOO_SHORT,
    /** Not one observation in the part to score. */
    NOTHING_OBSERVED,
    /** A demand below zero. */
    NEGATIVE_DEMAND
  }

  /**
   * The trace cannot be replayed.
   *
   * @param sentence what is wrong with it, for people
   */
  record Refused(Reason reason, String sentence) implements ReplayPlan {}
}
