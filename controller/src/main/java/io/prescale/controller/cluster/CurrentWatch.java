package io.prescale.controller.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.informers.ExceptionHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A watch that is retried for ever, and what keeps it from being current. Callers must call {@link
 * #fault} at least every ten seconds. Thread-safe.
 */
public final class CurrentWatch implements AutoCloseable {
  /** An API server that has just started may refuse what it allows a moment later. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Refusals that are further apart are of two faults, such as two starts of an API server. */
  private static final Duration APART = PATIENCE.multipliedBy(2);

  /** Usually a watch that is over is followed by the next one within a second. */
  private static final Duration BEFORE_A_QUESTION = Duration.ofSeconds(10);

  /**
   * For what is listed, but not watched: without web sockets a watch is open for the client library
   * with its first event only, and an API server sends a bookmark every minute.
   */
  private static final Duration PATIENCE_IF_LISTED = Duration.ofMinutes(5);

  private static final String LISTED_ONLY = "they can be listed, but not watched";

  private final String what;
  private final SharedIndexInformer<?> informer;
  private final Supplier<?> question;
  private final boolean isOptional;
  private final InstantSource clock;
  private final ExceptionHandler retried;
  private final AtomicBoolean isAsking = new AtomicBoolean();

  /** When it was open, as of the last look. */
  private volatile Instant open;

  private volatile Instant asked = Instant.MIN;
  private volatile @Nullable Refusal refusal;

  /**
   * The first and the last time that the API server answered, but not with what is watched.
   *
   * @param isListed whether it could be listed each time
   */
  private record Refusal(
      Instant first, Instant last, boolean isLasting, boolean isListed, String message) {}

  private CurrentWatch(
      String what,
      SharedIndexInformer<?> informer,
      Supplier<?> question,
      boolean isOptional,
      InstantSource clock) {
    this.what = what;
    this.informer = informer;
    this.question = question;
    this.isOptional = isOptional;
    this.clock = clock;
    this.open = clock.instant();
    retried = BrokenWatch.retried(informer, what);
    informer.exceptionHandler((_, failure) -> failed(failure));
  }

  /**
   * A watch that has not started.
   *
   * @param what is watched, in the plural
   * @param objects that are watched
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
   * Whether its fault takes the program from service: an optional kind has to be read once only.
   */
  boolean isNeeded() {
    return !isOptional || !informer.hasSynced();
  }

  /** The faults of all, each of which is looked at. */
  public static List<String> faults(Collection<CurrentWatch> watches) {
    return watches.stream().flatMap(watch -> watch.fault().stream()).toList();
  }

  /**
   * Why this replica should not answer; empty if it may. A replica that has read everything once
   * stays ready while the API server is away: no other replica knows more. It is no longer ready
   * when the API server has refused the watch for a minute (forbidden, not found, unreadable) or
   * has only listed for five, whatever it answers in between, because another replica may fare
   * better; the next successful watch makes it ready again.
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
        .filter(Refusal::isLasting)
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
            if (!informer.isWatching() && refused(true, LISTED_ONLY).isLasting()) {
              var _ = retried.retryAfterException(true, new ClusterException(LISTED_ONLY));
            }
          } catch (RuntimeException e) { // also of a client that is closed meanwhile
            var _ = failed(e);
          } finally {
            isAsking.set(false);
          }
        });
  }

  private boolean failed(Throwable failure) {
    if (isOptional && hasCode(failure, HttpURLConnection.HTTP_NOT_FOUND)) {
      refusal = null;
    } else if (isRefusal(failure)) {
      var _ = refused(false, BrokenWatch.text(failure));
    }
    return retried.retryAfterException(true, failure);
  }

  /** Takes in a refusal, which no other failure ends. */
  private synchronized Refusal refused(boolean isListed, String message) {
    var now = clock.instant();
    var next =
        Optional.ofNullable(refusal)
            .filter(it -> it.isLasting() || isOneWith(it, isListed, now))
            .map(it -> again(it, isListed, message, now))
            .orElseGet(() -> new Refusal(now, now, false, isListed, message));
    refusal = next;
    return next;
  }

  /** A kind that is refused after it could be listed is a new fault, with a minute of its own. */
  private static boolean isOneWith(Refusal before, boolean isListed, Instant now) {
    return !isPast(before.last(), APART, now) && (isListed || !before.isListed());
  }

  private static Refusal again(Refusal before, boolean isListed, String message, Instant now) {
    var patience = isListed ? PATIENCE_IF_LISTED : PATIENCE;
    boolean isLasting = before.isLasting() || isPast(before.first(), patience, now);
    return new Refusal(before.first(), now, isLasting, before.isListed() && isListed, message);
  }

  private static boolean isRefusal(Throwable failure) {
    return ApiFailure.within(failure)
        .filter(it -> !ApiFailure.isUnanswered(it))
        .map(it -> ApiFailure.isLasting(it) && it.getCode() != HttpURLConnection.HTTP_GONE)
        .orElseGet(() -> ExceptionHandler.isDeserializationException(failure));
  }

  private static boolean hasCode(Throwable failure, int code) {
    return ApiFailure.within(failure).filter(it -> it.getCode() == code).isPresent();
  }

  private static boolean isPast(Instant time, Duration after, Instant now) {
    return time.plus(after).isBefore(now);
  }

  @Override
  public void close() {
    informer.stop();
  }
}
