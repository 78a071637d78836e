package io.prescale.placement.vacancy;

/**
 * The pods chosen to leave so far, and the way back. A pod may take others with it. For one thread.
 */
public interface Departures {
  /** Whether a pod may leave at all, whoever else leaves. */
  boolean mayLeave(int pod);

  /** Whether a pod is among those chosen. */
  boolean isGone(int pod);

  /**
   * Chooses a pod, and those that have to leave with it; nothing changes for one that is gone.
   *
   * @return false when that is not allowed; then nothing has changed
   */
  boolean leave(int pod);

  /** How many have been chosen; also a mark to go back to. */
  int count();

  /** Takes back all that were chosen after a mark, the last first. */
  void backTo(int count);
}
