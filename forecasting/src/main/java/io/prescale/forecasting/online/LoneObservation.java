package io.prescale.forecasting.online;

import java.time.Duration;

/**
 * Finds single observations that are far above all of the last day and that the next one does not
 * confirm: a wrong sample, not load. What is learned from one would be wrong for a day. A second
 * one within a day is load again, such as a job that begins every hour; after a restart, the next
 * counts as the first. Not thread-safe.
 */
final class LoneObservation {
  /** Demand of a minute is hardly ever three times that of the minutes around it. */
  private static final double FAR = 3;

  /** A burst may well be over within a longer step. */
  private static final Duration LONGEST_STEP = Duration.ofMinutes(1);

  /** A day, and by how much a daily job may be late. */
  private static final Duration RECURRING = Duration.ofHours(25);

  private static final Duration LEAST_KNOWN = Duration.ofHours(6);

  private final DemandHistory history;
  private int last = Integer.MIN_VALUE / 2;

  LoneObservation(DemandHistory history) {
    this.history = history;
  }

  /** Forgets the observation before the newest if it is one. O(steps of a day) if it might be. */
  void forget() {
    int i = history.size() - 2;
    int recent = i - history.steps(RECURRING);
    boolean isLone =
        history.step().compareTo(LONGEST_STEP) <= 0
            && i - history.oldest() >= history.steps(LEAST_KNOWN)
            && isFarAbove(i, history.actual(i - 1))
            && isFarAbove(i, history.actual(i + 1))
            && isFarAbove(i, history.max(recent, i));
    if (isLone && last < recent) {
      history.forget(i);
    }
    if (isLone) {
      last = i;
    }
  }

  /** Beside no demand at all, any demand may be load. */
  private boolean isFarAbove(int i, double other) {
    return other > 0 && history.actual(i) > FAR * other;
  }
}
