package io.prescale.controller.cluster;

import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.HttpTimeoutException;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * Has at most so many requests in flight; further ones wait in order, and fail once they have
 * waited for longer than their timeout. Java's own client fails a request beyond the server's limit
 * of streams at once. Web sockets are not counted: each has a connection of its own.
 */
final class BoundedHttpClient extends HttpClient {
  private final HttpClient client;
  private final Semaphore places;
  private final LongSupplier nanoTime;
  private final Queue<Waiting<?>> waiting = new ConcurrentLinkedQueue<>();

  BoundedHttpClient(HttpClient client, int inFlight, LongSupplier nanoTime) {
    this.client = client;
    this.places = new Semaphore(inFlight);
    this.nanoTime = nanoTime;
  }

  private record Waiting<T>(
      HttpRequest request,
      BodyHandler<T> handler,
      long since,
      CompletableFuture<HttpResponse<T>> answer) {

    boolean isTooLate(long now) {
      return request.timeout().filter(limit -> now - since > limit.toNanos()).isPresent();
    }
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler) {
    var next =
        new Waiting<>(
            request, handler, nanoTime.getAsLong(), new CompletableFuture<HttpResponse<T>>());
    waiting.add(next);
    sendWaiting();
    return next.answer();
  }

  private void sendWaiting() {
    while (!waiting.isEmpty() && places.tryAcquire()) {
      var next = waiting.poll();
      if (next == null) {
        places.release();
      } else {
        send(next);
      }
    }
  }

  /**
   * Sends with a place that is taken, and gives it back once the headers of the answer are there.
   */
  private <T> void send(Waiting<T> next) {
    if (next.isTooLate(nanoTime.getAsLong())) {
      places.release();
      next.answer()
          .completeExceptionally(
              new HttpTimeoutException("timed out behind other requests to the API server"));
      return;
    }
    var _ =
        client
            .sendAsync(next.request(), next.handler())
            .whenComplete(
                (response, failure) -> {
                  places.release();
                  if (failure == null) {
                    next.answer().complete(response);
                  } else {
                    next.answer().completeExceptionally(failure);
                  }
                  sendWaiting();
                });
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler, PushPromiseHandler<T> push) {
    throw new UnsupportedOperationException("an API server pushes nothing");
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) {
    throw new UnsupportedOperationException("the client library sends asynchronously");
  }

  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    return client.newWebSocketBuilder();
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return client.cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return client.connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return client.followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return client.proxy();
  }

  @Override
  public SSLContext sslContext() {
    return client.sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return client.sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return client.authenticator();
  }

  @Override
  public Version version() {
    return client.version();
  }

  @Override
  public Optional<Executor> executor() {
    return client.executor();
  }
}
