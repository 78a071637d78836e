package io.prescale.placement.vacancy;

/** The pods chosen to leave, with backtracking; one may entail others. Not thread-safe. */
public interface Departures {
  /** Whether a pod may leave at all, whichever others leave. */
  boolean mayLeave(int pod);

  /** Whether a pod has been chosen. */
  boolean isGone(int pod);

  /**
   * Chooses a pod and those that must leave with it; no change if it has already been chosen.
   *
   * @return false when that is not allowed, in which case nothing has changed
   */
  boolean leave(int pod);

  /** The number of pods chosen; also a mark for {@link #backTo}. */
  int count();

  /** Undoes all choices after a mark, the last first. */
  void backTo(int count);
}
