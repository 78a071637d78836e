package io.prescale.controller.demand.source;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Backs off from a failing server, for twice as long after each further failure; failures of
 * requests that were under way together count once. Thread-safe.
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

  /** What the server failed with; empty when it may be queried. */
  synchronized Optional<String> problem(Instant now) {
    return until != null && now.isBefore(until) ? Optional.of(problem) : Optional.empty();
  }

  /** What the server failed with in a request made no earlier than this one. */
  synchronized Optional<String> failedSince(Instant asked) {
    return lastFailed != null && !lastFailed.isBefore(asked)
        ? Optional.of(problem)
        : Optional.empty();
  }

  /**
   * Records a failed request.
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
