package io.prescale.controller.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer in brief. Of the whole one no more is in memory than what the connection
 * has brought since the last read.
 */
final class BriefBody<T> implements BodySubscriber<T> {
  /** To ask for more at once is to ask for all. */
  private static final long MOST_COUNTED = 1024;

  private final BodySubscriber<T> body;
  private final BriefJson brief;
  private final BodySubscriber<InputStream> whole = BodySubscribers.ofInputStream();

  /** Parts that the subscriber has asked for. */
  private final Semaphore asked = new Semaphore(0);

  private volatile boolean isUnbounded;
  private volatile boolean isCancelled;
  private volatile @Nullable Throwable failure;

  private BriefBody(BodySubscriber<T> body, BriefJson brief) {
    this.body = body;
    this.brief = brief;
  }

  /** Handles an answer in brief, if it is one that there is a brief form of. */
  static <T> BodyHandler<T> of(
      HttpRequest request, BodyHandler<T> handler, Optional<BriefJson> brief) {
    return brief
        .filter(it -> request.method().equals("GET") && it.concerns(request.uri()))
        .<BodyHandler<T>>map(
            it ->
                answer ->
                    answer.statusCode() == HttpURLConnection.HTTP_OK
                        ? new BriefBody<>(handler.apply(answer), it)
                        : handler.apply(answer))
        .orElse(handler);
  }

  @Override
  public CompletionStage<T> getBody() {
    return body.getBody();
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    whole.onSubscribe(subscription);
    body.onSubscribe(
        new Subscription() {
          @Override
          public void request(long n) {
            isUnbounded |= n > MOST_COUNTED;
            asked.release(isUnbounded ? 1 : (int) n);
          }

          @Override
          public void cancel() {
            isCancelled = true;
            stop(subscription);
            asked.release();
          }
        });
    Thread.startVirtualThread(this::read);
  }

  /** Wakes the reader, too. */
  private void stop(Subscription subscription) {
    subscription.cancel();
    try {
      whole.getBody().toCompletableFuture().join().close();
    } catch (IOException | RuntimeException _) {
      // Nothing is read any more.
    }
  }

  private void read() {
    try (var stream = whole.getBody().toCompletableFuture().join();
        var parser = HpaReader.JSON.createParser(new InputStreamReader(stream, UTF_8))) {
      for (var next = brief.next(parser); next.isPresent(); next = brief.next(parser)) {
        if (!isUnbounded) {
          asked.acquire();
        }
        if (isCancelled) {
          return;
        }
        var failed = failure;
        if (failed != null) {
          body.onError(failed);
          return;
        }
        body.onNext(List.of(ByteBuffer.wrap(next.get())));
      }
      body.onComplete();
    } catch (InterruptedException | IOException | RuntimeException e) {
      body.onError(e);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> part) {
    whole.onNext(part);
  }

  @Override
  public void onError(Throwable failure) {
    this.failure = failure;
    whole.onError(failure);
    asked.release(); // a reader may wait to be asked
  }

  @Override
  public void onComplete() {
    whole.onComplete();
  }
}
