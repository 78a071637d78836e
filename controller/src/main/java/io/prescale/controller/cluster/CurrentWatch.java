package io.prescale.controller.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.informers.ExceptionHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A watch that is retried for ever, and what keeps it from being current. Who depends on it looks
 * again and again, at least every ten seconds. Thread-safe.
 */
public final class CurrentWatch implements AutoCloseable {
  /** An API server that has just started may refuse what it allows a moment later. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Usually a watch that is over is followed by the next one within a second. */
  private static final Duration BEFORE_A_QUESTION = Duration.ofSeconds(10);

  private final String what;
  private final SharedIndexInformer<?> informer;
  private final Supplier<?> question;
  private final boolean mayBeGone;
  private final InstantSource clock;
  private final AtomicBoolean isAsking = new AtomicBoolean();

  /** When it was open, as of the last look. */
  private volatile Instant open;

  private volatile Instant asked = Instant.MIN;
  private volatile @Nullable Refusal refusal;

  /** Since when the API server answers, but not with what can be watched. */
  private record Refusal(Instant since, String message) {}

  private CurrentWatch(
      String what,
      SharedIndexInformer<?> informer,
      Supplier<?> question,
      boolean mayBeGone,
      InstantSource clock) {
    this.what = what;
    this.informer = informer;
    this.question = question;
    this.mayBeGone = mayBeGone;
    this.clock = clock;
    this.open = clock.instant();
    var retried = BrokenWatch.retried(informer, what);
    informer.exceptionHandler(
        (started, failure) -> {
          noteRefusal(failure);
          return retried.retryAfterException(started, failure);
        });
  }

  /**
   * A watch that has not started.
   *
   * @param what is watched, in the plural
   * @param objects that are watched, or others that are served if these are
   */
  public static CurrentWatch of(
      String what,
      SharedIndexInformer<?> informer,
      FilterWatchListDeletable<? extends HasMetadata, ?, ?> objects,
      InstantSource clock) {
    return new CurrentWatch(what, informer, question(objects), false, clock);
  }

  /** The same of a kind that may be removed from the cluster, and with it all its objects. */
  static CurrentWatch ofOptional(
      String what,
      SharedIndexInformer<?> informer,
      FilterWatchListDeletable<? extends HasMetadata, ?, ?> objects,
      InstantSource clock) {
    return new CurrentWatch(what, informer, question(objects), true, clock);
  }

  private static Supplier<?> question(
      FilterWatchListDeletable<? extends HasMetadata, ?, ?> objects) {
    var one = new ListOptionsBuilder().withLimit(1L).build();
    return () -> objects.list(one);
  }

  /** Starts watching. */
  public void start() {
    var _ = informer.start();
  }

  /**
   * Why this replica should not answer; empty if it may. A replica that has read everything once
   * stays ready while the API server is away: no other replica knows more. It is no longer ready
   * when the API server has answered for a minute without a watch (forbidden, not found,
   * unreadable), because another replica may fare better; the next successful watch makes it ready
   * again.
   */
  public Optional<String> fault() {
    if (!informer.hasSynced()) {
      return Optional.of("the %s have not been read yet".formatted(what));
    }
    if (!informer.isRunning()) {
      return Optional.of("the watch of %s has ended".formatted(what));
    }
    var now = clock.instant();
    if (informer.isWatching()) {
      refusal = null;
      open = now;
      return Optional.empty();
    }
    if (isPast(open, BEFORE_A_QUESTION, now) && isPast(asked, BEFORE_A_QUESTION, now)) {
      askWhy(now);
    }
    return Optional.ofNullable(refusal)
        .filter(it -> isPast(it.since(), PATIENCE, now))
        .map(it -> "the %s cannot be watched: %s".formatted(what, it.message()));
  }

  /** For how long it has not been open, as of the last look; zero while it is. */
  public Duration interruptedFor() {
    return informer.isWatching() ? Duration.ZERO : Duration.between(open, clock.instant());
  }

  /** The client library repeats a watch that was open once without saying why it fails. */
  private void askWhy(Instant now) {
    if (!isAsking.compareAndSet(false, true)) {
      return;
    }
    asked = now;
    Thread.startVirtualThread(
        () -> {
          try {
            var _ = question.get();
          } catch (RuntimeException e) { // also of a client that is closed meanwhile
            noteRefusal(e);
          } finally {
            isAsking.set(false);
          }
        });
  }

  private void noteRefusal(Throwable failure) {
    var known = refusal;
    if (!isRefusal(failure)) {
      refusal = null;
    } else if (known == null || informer.isWatching()) {
      refusal = new Refusal(clock.instant(), String.valueOf(failure.getMessage()));
    }
  }

  private boolean isRefusal(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof KubernetesClientException answer && answer.getCode() > 0) {
        return ApiFailure.isLasting(answer)
            && !(mayBeGone && answer.getCode() == HttpURLConnection.HTTP_NOT_FOUND);
      }
    }
    return ExceptionHandler.isDeserializationException(failure);
  }

  private static boolean isPast(Instant time, Duration after, Instant now) {
    return time.plus(after).isBefore(now);
  }

  @Override
  public void close() {
    informer.stop();
  }
}
