package io.prescale.controller.operator;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Words one line for the log when the API server begins to fail, when it fails in another way and
 * when it has recovered, however many requests fail meanwhile. Thread-safe.
 */
final class ApiServerFaults {
  /** Requests that succeed beside others that fail do not end a fault. */
  private static final Duration QUIET = Duration.ofSeconds(30);

  private @Nullable Integer code;
  private Instant began = Instant.MIN;
  private Instant newest = Instant.MIN;
  private int failures;

  /**
   * Takes in a failed request.
   *
   * @param about the object that it was made for
   * @param now when it failed, which may be long after it was made
   * @return a warning, if the fault is a new one
   */
  synchronized Optional<String> failed(
      String about, KubernetesClientException failure, Instant now) {
    var before = code;
    if (before == null) {
      began = now;
      failures = 0;
    }
    code = failure.getCode();
    newest = before == null || now.isAfter(newest) ? now : newest;
    failures++;
    return before != null && before == failure.getCode()
        ? Optional.empty()
        : Optional.of(
            "The API server fails, first for %s: %s. Further failures are only counted."
                .formatted(about, ApiFailure.text(failure)));
  }

  /**
   * Takes in a request that succeeded.
   *
   * @return a message, if a fault has ended
   */
  synchronized Optional<String> succeeded(Instant now) {
    if (code == null || Duration.between(newest, now).compareTo(QUIET) <= 0) {
      return Optional.empty();
    }
    code = null;
    return Optional.of(
        "The API server answers again, after %d failures within %d s."
            .formatted(failures, Duration.between(began, newest).toSeconds()));
  }
}
