package io.prescale.controller.serving;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ExceptionHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.BrokenWatch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A watch that is retried for ever, and what keeps it from being current. */
final class CurrentWatch<T> implements AutoCloseable {
  /** An API server that has just started may refuse what it allows a moment later. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final String what;
  private final SharedIndexInformer<T> informer;
  private final InstantSource clock;
  private volatile @Nullable Refusal refusal;

  /** Since when the API server answers, but not with what can be watched. */
  private record Refusal(Instant since, String message) {}

  /**
   * A watch that has not started.
   *
   * @param what is watched, in the plural
   */
  CurrentWatch(String what, SharedIndexInformer<T> informer, InstantSource clock) {
    this.what = what;
    this.informer = informer;
    this.clock = clock;
    var retried = BrokenWatch.retried(informer, what);
    informer.exceptionHandler(
        (started, failure) -> {
          noteRefusal(failure);
          return retried.retryAfterException(started, failure);
        });
  }

  void start() {
    var _ = informer.start();
  }

  /**
   * Why this replica should not answer; empty if it may. A replica that has read everything once
   * stays ready while the API server is away: its values age, are raised by their plans and end
   * with their TTL, and no other replica has better ones. It is no longer ready when the API server
   * has answered for a minute without a watch (forbidden, not found, unreadable), because another
   * replica may fare better; the next successful watch makes it ready again.
   */
  Optional<String> fault() {
    if (!informer.hasSynced()) {
      return Optional.of("the %s have not been read yet".formatted(what));
    }
    if (!informer.isRunning()) {
      return Optional.of("the watch of %s has ended".formatted(what));
    }
    if (informer.isWatching()) {
      refusal = null;
    }
    return Optional.ofNullable(refusal)
        .filter(it -> it.since().plus(PATIENCE).isBefore(clock.instant()))
        .map(it -> "the %s cannot be watched: %s".formatted(what, it.message()));
  }

  private void noteRefusal(Throwable failure) {
    var known = refusal;
    if (!isRefusal(failure)) {
      refusal = null;
    } else if (known == null || informer.isWatching()) {
      refusal = new Refusal(clock.instant(), String.valueOf(failure.getMessage()));
    }
  }

  private static boolean isRefusal(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof KubernetesClientException answer && answer.getCode() > 0) {
        return ApiFailure.isLasting(answer);
      }
    }
    return ExceptionHandler.isDeserializationException(failure);
  }

  @Override
  public void close() {
    informer.stop();
  }
}
