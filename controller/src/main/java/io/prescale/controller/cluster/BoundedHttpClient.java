package io.prescale.controller.cluster;

import io.prescale.controller.fairness.FairPlaces;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * Limits the requests in flight, shared between namespaces as {@link FairPlaces} says, and those
 * that are sent in a second; further ones wait, and fail once they have waited for longer than
 * their timeout. One that is sent has a shorter time for its answer to begin. Java's own client
 * fails a request beyond the server's limit of streams at once. Web sockets are not counted: each
 * has a connection of its own.
 */
final class BoundedHttpClient extends HttpClient {
  private static final Pattern NAMESPACE = Pattern.compile("/namespaces/([^/]+)");
  private static final Pattern WATCH = Pattern.compile("[?&]watch=");
  private static final Pattern PAGE = Pattern.compile("[?&]limit=");

  /** How many times as long the answer to a page of a list may take as any other. */
  private static final int ANSWERS_FOR_PAGE = 3;

  /** How many times as long the body of an answer may take as its beginning. */
  private static final int ANSWERS_FOR_BODY = 6;

  private final HttpClient client;
  private final Limits limits;
  private final FairPlaces<Waiting<?>> places;
  private final RequestRate rate;
  private final Optional<BriefJson> brief;
  private final PageSizes pages = new PageSizes();
  private final LongSupplier nanoTime;
  private boolean isPaused;

  /**
   * A client of which nothing is asked yet.
   *
   * @param brief of which objects only a part is read
   */
  BoundedHttpClient(
      HttpClient client, Limits limits, Optional<BriefJson> brief, LongSupplier nanoTime) {
    this.client = client;
    this.limits = limits;
    this.places = new FairPlaces<>(limits.inFlight());
    this.rate = new RequestRate(limits.perSecond(), limits.burst(), nanoTime.getAsLong());
    this.brief = brief;
    this.nanoTime = nanoTime;
  }

  /**
   * How much is asked of an API server.
   *
   * @param inFlight requests at a time
   * @param perSecond requests in the long run
   * @param burst requests at once after a pause
   * @param answer time until an answer begins; three times as long for a page of a list, and six
   *     times as long until a body ends
   * @param ping time between pings of a web socket, see {@link LiveWebSockets}
   */
  record Limits(int inFlight, int perSecond, int burst, Duration answer, Duration ping) {
    Limits {
      boolean areTimes = answer.isPositive() && ping.isPositive();
      if (inFlight < 1 || perSecond < 1 || burst < 1 || !areTimes) {
        throw new IllegalArgumentException(
            "%d, %d/s, %d, %s, %s".formatted(inFlight, perSecond, burst, answer, ping));
      }
    }
  }

  private record Waiting<T>(
      HttpRequest request,
      BodyHandler<T> handler,
      long since,
      CompletableFuture<HttpResponse<T>> answer) {

    /** Whether no answer is awaited any more. */
    boolean isDone(long now) {
      return answer.isDone()
          || request.timeout().filter(limit -> now - since > limit.toNanos()).isPresent();
    }

    void refuse() {
      var message = "timed out behind other requests to the API server";
      answer.completeExceptionally(new HttpTimeoutException(message));
    }

    /**
     * The time until the answer begins. That to a page of a list is made of hundreds of objects,
     * and without it the list begins anew, which a busy API server would bear least.
     */
    Duration longest(Duration answer) {
      return PAGE.matcher(request.uri().toString()).find()
          ? answer.multipliedBy(ANSWERS_FOR_PAGE)
          : answer;
    }

    /** The request with a shorter time for its answer. */
    HttpRequest within(Duration answer) {
      return request.timeout().filter(limit -> limit.compareTo(answer) > 0).isEmpty()
          ? request
          : HttpRequest.newBuilder(request, (_, _) -> true).timeout(answer).build();
    }

    /** Whether the body of the answer goes on for as long as it is read, as a watch's does. */
    boolean isEndless() {
      return request.timeout().isEmpty() || WATCH.matcher(request.uri().toString()).find();
    }

    /** Whose request it is; those about no namespace take turns as if they had one. */
    String namespace() {
      var path = NAMESPACE.matcher(request.uri().getPath());
      return path.find() ? path.group(1) : "";
    }
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler) {
    var next =
        new Waiting<>(
            request, handler, nanoTime.getAsLong(), new CompletableFuture<HttpResponse<T>>());
    places.await(next.namespace(), next);
    sendWaiting();
    return next.answer();
  }

  private void sendWaiting() {
    for (var next = next(); next.isPresent(); next = next()) {
      send(next.get());
    }
  }

  /** The next request that may be sent; empty also while the rate allows none. */
  private synchronized Optional<Waiting<?>> next() {
    long pause = rate.untilNext(nanoTime.getAsLong());
    if (pause > 0) {
      if (!isPaused) {
        isPaused = true;
        CompletableFuture.delayedExecutor(pause, TimeUnit.NANOSECONDS).execute(this::resume);
      }
      return Optional.empty();
    }
    var next = places.next();
    while (next.filter(it -> it.isDone(nanoTime.getAsLong())).isPresent()) {
      var late = next.get(); // which does not count, or the late ones would make all others late
      places.end(late.namespace());
      Thread.startVirtualThread(late::refuse); // not under this lock
      next = places.next();
    }
    next.ifPresent(_ -> rate.sent());
    return next;
  }

  private void resume() {
    synchronized (this) {
      isPaused = false;
    }
    sendWaiting();
  }

  /**
   * Sends with a place that is taken. It is freed with the end of the answer's body, of a watch
   * with its headers, and when no answer has begun in time.
   */
  private <T> void send(Waiting<T> next) {
    var end = endOf(next.namespace());
    var longest = next.longest(limits.answer());
    var late = CompletableFuture.delayedExecutor(longest.toNanos(), TimeUnit.NANOSECONDS);
    var unbegun = CompletableFuture.runAsync(end, late);
    var request = pages.fitting(next.within(longest));
    var handler = BriefBody.of(request, pages.bounded(request, next.handler()), brief);
    BodyHandler<T> begun =
        answer -> {
          unbegun.cancel(false);
          return handler.apply(answer);
        };
    var longestBody =
        next.isEndless()
            ? Optional.<Duration>empty()
            : Optional.of(longest.multipliedBy(ANSWERS_FOR_BODY));
    try {
      var _ =
          client
              .sendAsync(request, WatchedBody.of(begun, longestBody, end))
              .whenComplete(
                  (response, failure) -> {
                    if (failure == null) {
                      next.answer().complete(response);
                    } else {
                      next.answer().completeExceptionally(failure);
                    }
                    if (failure != null || next.isEndless()) {
                      end.run();
                    }
                  });
    } catch (RuntimeException e) {
      next.answer().completeExceptionally(e);
      end.run();
    }
  }

  /** Frees a place, once; it keeps nothing of the request. */
  private Runnable endOf(String namespace) {
    var isEnded = new AtomicBoolean();
    return () -> {
      if (isEnded.compareAndSet(false, true)) {
        places.end(namespace);
        sendWaiting();
      }
    };
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
    return new LiveWebSockets(client.newWebSocketBuilder(), brief, limits.ping(), nanoTime);
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
