package io.prescale.controller.simulation.replay;

/** A replay that can run, or why there is none. */
public sealed interface ReplayPlan permits Replay, ReplayPlan.Refused {

  /**
   * The trace cannot be replayed.
   *
   * @param sentence what is wrong with it, for people
   */
  record Refused(String sentence) implements ReplayPlan {}
}
