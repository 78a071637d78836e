package io.prescale.controller.web.live;

import io.prescale.controller.web.Savings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of a workload's last week.
 *
 * @param at when the newest replay began
 * @param problem why it failed, in a sentence; empty if it did not
 * @param week of the newest replay that did not fail; empty before one
 * @param weekAt when that one began
 */
record KnownWeek(
    Instant at, Optional<String> problem, Optional<Savings.Week> week, Instant weekAt) {
  private static final int FAILED_SOONER = 24;
  private static final int STANDS_FOR = 2;

  static KnownWeek of(Instant at, HistoryReplay.Outcome outcome) {
    return switch (outcome) {
      case HistoryReplay.Failed(_, var problem) ->
          new KnownWeek(at, Optional.of(problem), Optional.empty(), at);
      case HistoryReplay.Finished finished ->
          new KnownWeek(at, Optional.empty(), Optional.of(finished.week()), at);
    };
  }

  /** What is known after the next replay; a week stands while a newer one is missing. */
  KnownWeek then(KnownWeek next) {
    return next.problem.isPresent() ? new KnownWeek(next.at, next.problem, week, weekAt) : next;
  }

  /** Whether it is time for the next replay: after a period, or a 24th of it after a failure. */
  boolean isDue(Duration renewed, Instant now) {
    var after = problem.isPresent() ? renewed.dividedBy(FAILED_SOONER) : renewed;
    return !at.plus(after).isAfter(now);
  }

  /** The part of a sum; empty once the week is two periods old. */
  Optional<Savings.Week> counted(Duration renewed, Instant now) {
    return week.filter(_ -> now.isBefore(weekAt.plus(renewed.multipliedBy(STANDS_FOR))))
        .or(() -> problem.map(_ -> new Savings.Week.Failed()));
  }

  /** Why it is counted as one that failed; empty if it is not. */
  Optional<String> failure(Duration renewed, Instant now) {
    return counted(renewed, now).equals(Optional.of(new Savings.Week.Failed()))
        ? problem
        : Optional.empty();
  }
}
