package io.prescale.forecasting.online;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Finds single observations that are far above all of the last day and that the next one does not
 * confirm: a wrong sample, not load. What is learned from one would be wrong for a day. A second
 * one within a day, or a week later, is load again, such as a job that begins every hour or every
 * Monday; after a restart, the next counts as the first. Not thread-safe.
 */
final class LoneObservation {
  /** Demand of a minute is hardly ever three times that of the minutes around it. */
  private static final double FAR = 3;

  /** A burst may well be over within a longer step. */
  private static final Duration LONGEST_STEP = Duration.ofMinutes(1);

  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration WEEK = Duration.ofDays(7);

  /** By how much a daily or weekly job may be early or late. */
  private static final Duration UNPUNCTUAL = Duration.ofHours(1);

  private static final Duration LEAST_KNOWN = Duration.ofHours(6);

  private final DemandHistory history;
  private final int aDay;
  private final int leastOfAWeek;
  private final int mostOfAWeek;

  /** Those of the last week, whether or not they were forgotten. */
  private final Deque<Integer> found = new ArrayDeque<>();

  LoneObservation(DemandHistory history) {
    this.history = history;
    this.aDay = history.steps(DAY.plus(UNPUNCTUAL));
    this.leastOfAWeek = history.steps(WEEK.minus(UNPUNCTUAL));
    this.mostOfAWeek = history.steps(WEEK.plus(UNPUNCTUAL));
  }

  /** Forgets the observation before the newest if it is one. O(steps of a day) if it might be. */
  void forget() {
    int i = history.size() - 2;
    if (standsOut(i) && isFarAbove(i, history.actual(i + 1))) {
      found.removeIf(earlier -> i - earlier > mostOfAWeek);
      if (!recurs(i)) {
        history.forget(i);
      }
      found.add(i);
    }
  }

  /** Whether the newest observation may be one, which the next one decides. */
  boolean mayBeNewest() {
    int i = history.size() - 1;
    return standsOut(i) && !recurs(i);
  }

  private boolean standsOut(int i) {
    return history.step().compareTo(LONGEST_STEP) <= 0
        && i - history.oldest() >= history.steps(LEAST_KNOWN)
        && isFarAbove(i, history.actual(i - 1))
        && isFarAbove(i, history.max(i - aDay, i));
  }

  /** Beside no demand at all, any demand may be load. */
  private boolean isFarAbove(int i, double other) {
    return other > 0 && history.actual(i) > FAR * other;
  }

  private boolean recurs(int i) {
    return found.stream()
        .mapToInt(earlier -> i - earlier)
        .anyMatch(age -> age <= aDay || (age >= leastOfAWeek && age <= mostOfAWeek));
  }
}
