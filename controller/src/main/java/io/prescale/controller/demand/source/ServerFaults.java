package io.prescale.controller.demand.source;

import io.prescale.controller.autoscaling.Reading.Missing;
import io.prescale.controller.autoscaling.Reading.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Words one line for the log when a server begins to fail, when it fails in another way and when it
 * has recovered, however many metrics are missing meanwhile. Thread-safe.
 */
final class ServerFaults {
  /** Requests that succeed beside others that fail do not end a fault. */
  private static final Duration QUIET = Duration.ofMinutes(2);

  private final String server;

  /** The newest failure of each reason. */
  private final Map<Reason, Instant> newest = new EnumMap<>(Reason.class);

  private Instant began = Instant.MIN;
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
    if (missing.reason() == Reason.ACCESS_DENIED) {
      return Optional.empty(); // the fault of a token, which its object reports
    }
    if (newest.isEmpty()) {
      began = now;
      failures = 0;
    }
    failures++;
    var before = newest.get(missing.reason());
    newest.merge(missing.reason(), now, ServerFaults::later);
    return before == null || isOver(before, now)
        ? Optional.of(
            "Prometheus at %s fails, first for namespace %s: %s Further failures are only counted."
                .formatted(server, namespace, missing.message()))
        : Optional.empty();
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  private static boolean isOver(Instant last, Instant now) {
    return Duration.between(last, now).compareTo(QUIET) > 0;
  }

  /**
   * Takes in a request that succeeded.
   *
   * @return a message, if a fault has ended
   */
  synchronized Optional<String> succeeded(Instant now) {
    if (newest.isEmpty() || !newest.values().stream().allMatch(last -> isOver(last, now))) {
      return Optional.empty();
    }
    var last = Collections.max(newest.values());
    newest.clear();
    return Optional.of(
        "Prometheus at %s answers again, after %d failures within %d s."
            .formatted(server, failures, Duration.between(began, last).toSeconds()));
  }
}
