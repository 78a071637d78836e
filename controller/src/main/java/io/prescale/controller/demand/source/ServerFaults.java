package io.prescale.controller.demand.source;

import io.prescale.controller.autoscaling.Reading.Missing;
import io.prescale.controller.autoscaling.Reading.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Words one line for the log when a server begins to fail, when it fails in another way and when it
 * has recovered, however many metrics are missing meanwhile. Thread-safe.
 */
final class ServerFaults {
  /** Requests that succeed beside others that fail do not end a fault. */
  private static final Duration QUIET = Duration.ofMinutes(2);

  private final String server;
  private final Set<Reason> reasons = EnumSet.noneOf(Reason.class);
  private Instant began = Instant.MIN;
  private Instant newest = Instant.MIN;
  private int failures;

  /**
   * A server that has not failed.
   *
   * @param server host and port
   */
  ServerFaults(String server) {
    this.server = server;
  }

  /**
   * Takes in a failed request.
   *
   * @return a warning, if the fault is a new one
   */
  synchronized Optional<String> failed(String namespace, Missing missing, Instant now) {
    if (reasons.isEmpty()) {
      began = now;
      failures = 0;
    }
    newest = now;
    failures++;
    return reasons.add(missing.reason())
        ? Optional.of(
            "Prometheus at %s fails, first for namespace %s: %s Further failures are only counted."
                .formatted(server, namespace, missing.message()))
        : Optional.empty();
  }

  /**
   * Takes in a request that succeeded.
   *
   * @return a message, if a fault has ended
   */
  synchronized Optional<String> succeeded(Instant now) {
    if (reasons.isEmpty() || Duration.between(newest, now).compareTo(QUIET) <= 0) {
      return Optional.empty();
    }
    reasons.clear();
    return Optional.of(
        "Prometheus at %s answers again, after %d failures within %d s."
            .formatted(server, failures, Duration.between(began, newest).toSeconds()));
  }
}
