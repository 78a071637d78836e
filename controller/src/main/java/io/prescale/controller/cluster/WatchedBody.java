package io.prescale.controller.cluster;

import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;

/**
 * The body of an answer, which says when it has ended: until then its stream counts against what a
 * server allows. One that does not end in time fails, since its reader waits without a limit.
 */
final class WatchedBody<T> implements BodySubscriber<T> {
  private final BodySubscriber<T> body;
  private final Optional<Duration> longest;
  private final Runnable ended;

  /** Completed by the end of the body, and otherwise by the time. */
  private final CompletableFuture<Boolean> end = new CompletableFuture<>();

  private WatchedBody(BodySubscriber<T> body, Optional<Duration> longest, Runnable ended) {
    this.body = body;
    this.longest = longest;
    this.ended = ended;
  }

  /**
   * Runs something at the end of the body, however it ends.
   *
   * @param longest that it may take; empty for one without end
   * @param ended may run more than once
   */
  static <T> BodyHandler<T> of(BodyHandler<T> handler, Optional<Duration> longest, Runnable ended) {
    return answer -> new WatchedBody<>(handler.apply(answer), longest, ended);
  }

  @Override
  public CompletionStage<T> getBody() {
    return body.getBody();
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    longest.ifPresent(limit -> failAfter(limit, subscription));
    body.onSubscribe(
        new Subscription() {
          @Override
          public void request(long n) {
            subscription.request(n);
          }

          @Override
          public void cancel() {
            subscription.cancel();
            isFirstEnd();
            ended.run();
          }
        });
  }

  private void failAfter(Duration limit, Subscription subscription) {
    var _ =
        end.orTimeout(limit.toNanos(), TimeUnit.NANOSECONDS)
            .exceptionallyAsync(_ -> late(subscription, limit));
  }

  /** Nothing follows its failure, and the part that is being read now comes before. */
  private boolean late(Subscription subscription, Duration limit) {
    try {
      subscription.cancel(); // before the lock, which a reader may hold for long
      ended.run();
    } finally {
      synchronized (this) {
        body.onError(new HttpTimeoutException("the answer did not end within " + limit));
      }
    }
    return false;
  }

  private boolean isFirstEnd() {
    return end.complete(true);
  }

  @Override
  public synchronized void onNext(List<ByteBuffer> part) {
    if (!end.isDone()) {
      body.onNext(part);
    }
  }

  @Override
  public synchronized void onError(Throwable failure) {
    if (isFirstEnd()) {
      body.onError(failure);
    }
    ended.run();
  }

  @Override
  public synchronized void onComplete() {
    if (isFirstEnd()) {
      body.onComplete();
    }
    ended.run();
  }
}
