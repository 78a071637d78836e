package io.prescale.controller.cluster;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Words one line for the log when requests of one kind begin to fail, one for each other way in
 * which they fail, and one when all that failed have succeeded again, however many requests fail
 * meanwhile. Thread-safe.
 */
public final class ApiServerFaults {
  /** Requests that succeed beside others that fail do not end a fault. */
  private static final Duration QUIET = Duration.ofSeconds(30);

  /** An object that has not failed again for so long is gone, or another replica's. */
  private static final Duration FORGOTTEN = Duration.ofMinutes(30);

  private final String beginning;
  private final String end;

  /** When they failed last, of the objects whose requests have not succeeded since. */
  private final Map<String, Instant> failing = new HashMap<>();

  /** The ways in which requests have failed since the fault began; empty without a fault. */
  private final Set<Object> ways = new HashSet<>();

  private Instant began = Instant.MIN;
  private Instant newest = Instant.MIN;
  private int failures;

  /**
   * No fault yet.
   *
   * @param beginning such as "The API server fails"
   * @param end such as "The API server answers again"
   */
  public ApiServerFaults(String beginning, String end) {
    this.beginning = beginning;
    this.end = end;
  }

  /** The same where all requests are about one object, which the lines name themselves. */
  public Optional<String> failed(Exception failure, Instant now) {
    return failed("", failure, now);
  }

  /**
   * Takes in a failed request.
   *
   * @param about the object that it was made for
   * @param now when it failed, which may be long after it was made
   * @return a warning, if the fault is a new one
   */
  public synchronized Optional<String> failed(String about, Exception failure, Instant now) {
    if (ways.isEmpty() || isPast(newest, FORGOTTEN, now)) {
      ways.clear();
      failing.clear();
      began = now;
      newest = now;
      failures = 0;
    }
    newest = now.isAfter(newest) ? now : newest;
    failing.put(about, now);
    failures++;
    if (!ways.add(way(failure))) {
      return Optional.empty();
    }
    var first = about.isEmpty() ? "" : ", first for " + about;
    return Optional.of(
        "%s%s: %s. Further failures are only counted.".formatted(beginning, first, text(failure)));
  }

  private static Object way(Exception failure) {
    return ApiFailure.within(failure)
        .<Object>map(KubernetesClientException::getCode)
        .orElseGet(() -> text(failure));
  }

  private static String text(Exception failure) {
    return failure instanceof KubernetesClientException answer
        ? ApiFailure.text(answer)
        : String.valueOf(failure.getMessage());
  }

  /** As {@link #failed(Exception, Instant)}. */
  public Optional<String> succeeded(Instant now) {
    return succeeded("", now);
  }

  /**
   * Takes in a request that succeeded.
   *
   * @return a message, if a fault has ended
   */
  public synchronized Optional<String> succeeded(String about, Instant now) {
    failing.remove(about);
    failing.values().removeIf(last -> isPast(last, FORGOTTEN, now));
    if (ways.isEmpty() || !failing.isEmpty() || !isPast(newest, QUIET, now)) {
      return Optional.empty();
    }
    ways.clear();
    return Optional.of(
        "%s, after %d failures within %d s."
            .formatted(end, failures, Duration.between(began, newest).toSeconds()));
  }

  private static boolean isPast(Instant last, Duration time, Instant now) {
    return Duration.between(last, now).compareTo(time) > 0;
  }
}
