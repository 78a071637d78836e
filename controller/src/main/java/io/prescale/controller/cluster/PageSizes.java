package io.prescale.controller.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow.Subscription;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How many objects of a list are asked for at once: as many as its reader wants, until a page has
 * more than {@value #MOST_BYTES} bytes. Such a page is given up with an error, and from then on
 * pages of that list are smaller: a page is whole in memory while it is read, and a tenant may make
 * each object as large as the API server takes, 1.5 MB. Thread-safe.
 */
final class PageSizes {
  static final int MOST_BYTES = 8 << 20;

  /** A page of this many is read whatever its objects are. */
  static final int FEW = 20;

  private static final int SMALLER = 5;
  private static final Pattern LIMIT = Pattern.compile("(?<=[?&]limit=)\\d{1,9}");

  /** A page was given up; the next attempt asks for fewer objects. */
  static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1;

    private TooLargeException(String message) {
      super(message);
    }
  }

  /** By the path of the list. */
  private final Map<String, Integer> most = new ConcurrentHashMap<>();

  /** The request for no more than what was found to be small enough. */
  HttpRequest fitting(HttpRequest request) {
    var uri = request.uri();
    int size = most.getOrDefault(uri.getPath(), Integer.MAX_VALUE);
    if (limit(uri) <= size) {
      return request;
    }
    var smaller = LIMIT.matcher(uri.toString()).replaceFirst(Integer.toString(size));
    return HttpRequest.newBuilder(request, (_, _) -> true).uri(URI.create(smaller)).build();
  }

  /** Handles the answer to a fitting request. */
  <T> BodyHandler<T> bounded(HttpRequest request, BodyHandler<T> handler) {
    int limit = limit(request.uri());
    return limit <= FEW
        ? handler
        : answer -> new Page<>(handler.apply(answer), () -> tooLarge(request.uri(), limit));
  }

  private IOException tooLarge(URI uri, int limit) {
    int smaller = Math.max(FEW, limit / SMALLER);
    most.merge(uri.getPath(), smaller, Math::min);
    return new TooLargeException(
        "%d objects of %s have more than %d bytes; from now on %d are read at once"
            .formatted(limit, uri.getPath(), MOST_BYTES, smaller));
  }

  /** How many objects are asked for; 0 for all, and for what is no list. */
  private static int limit(URI uri) {
    var limit = LIMIT.matcher(uri.toString());
    return limit.find() ? Integer.parseInt(limit.group()) : 0;
  }

  private static final class Page<T> implements BodySubscriber<T> {
    private final BodySubscriber<T> body;
    private final Supplier<IOException> tooLarge;
    private @Nullable Subscription source;
    private long bytes;

    Page(BodySubscriber<T> body, Supplier<IOException> tooLarge) {
      this.body = body;
      this.tooLarge = tooLarge;
    }

    @Override
    public CompletionStage<T> getBody() {
      return body.getBody();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      source = subscription;
      body.onSubscribe(subscription);
    }

    @Override
    public void onNext(List<ByteBuffer> part) {
      boolean fitted = bytes <= MOST_BYTES;
      bytes += part.stream().mapToLong(ByteBuffer::remaining).sum();
      if (bytes <= MOST_BYTES) {
        body.onNext(part);
      } else if (fitted) {
        Objects.requireNonNull(source).cancel();
        body.onError(tooLarge.get());
      }
    }

    @Override
    public void onError(Throwable failure) {
      if (bytes <= MOST_BYTES) {
        body.onError(failure);
      }
    }

    @Override
    public void onComplete() {
      if (bytes <= MOST_BYTES) {
        body.onComplete();
      }
    }
  }
}
