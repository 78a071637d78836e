package io.prescale.controller.cluster;

import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;

/**
 * The body of an answer, which says when it has ended: until then its stream counts against what a
 * server allows.
 */
record WatchedBody<T>(BodySubscriber<T> body, Runnable ended) implements BodySubscriber<T> {
  /**
   * Runs something at the end of the body, however it ends.
   *
   * @param ended may run more than once
   */
  static <T> BodyHandler<T> of(BodyHandler<T> handler, Runnable ended) {
    return answer -> new WatchedBody<>(handler.apply(answer), ended);
  }

  @Override
  public CompletionStage<T> getBody() {
    return body.getBody();
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    body.onSubscribe(
        new Subscription() {
          @Override
          public void request(long n) {
            subscription.request(n);
          }

          @Override
          public void cancel() {
            subscription.cancel();
            ended.run();
          }
        });
  }

  @Override
  public void onNext(List<ByteBuffer> part) {
    body.onNext(part);
  }

  @Override
  public void onError(Throwable failure) {
    body.onError(failure);
    ended.run();
  }

  @Override
  public void onComplete() {
    body.onComplete();
    ended.run();
  }
}
