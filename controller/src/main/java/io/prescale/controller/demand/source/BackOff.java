package io.prescale.controller.demand.source;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives a failing server a pause that doubles with each failure after a pause; failures of requests
 * that were under way together count once. Thread-safe.
 */
final class BackOff {
  private final Duration first;
  private final Duration longest;
  private int failures;
  private @Nullable Instant until;
  private @Nullable Instant lastFailed;
  private String problem = "";

  BackOff(Duration first, Duration longest) {
    this.first = first;
    this.longest = longest;
  }

  /** What the server failed with, while it is given a pause. */
  synchronized Optional<String> problem(Instant now) {
    return until != null && now.isBefore(until) ? Optional.of(problem) : Optional.empty();
  }

  /** What the server failed with at a request that was asked for no earlier than this one. */
  synchronized Optional<String> failedSince(Instant asked) {
    return lastFailed != null && !lastFailed.isBefore(asked)
        ? Optional.of(problem)
        : Optional.empty();
  }

  /**
   * A request failed.
   *
   * @param asked when it was made
   */
  synchronized void failed(Instant asked, String newProblem) {
    lastFailed = lastFailed == null || asked.isAfter(lastFailed) ? asked : lastFailed;
    if (until != null && asked.isBefore(until)) {
      return;
    }
    Duration doubled = first.multipliedBy(1L << Math.min(failures, 20));
    failures++;
    until = asked.plus(doubled.compareTo(longest) > 0 ? longest : doubled);
    problem = newProblem;
  }

  synchronized void succeeded() {
    failures = 0;
    until = null;
    lastFailed = null;
  }
}
