package io.prescale.controller.cluster;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens web sockets, such as those of watches, that are pinged and fail when nothing is received
 * for a while, not even the answer to a ping. Otherwise a watch of a server that has disappeared
 * would be silent for ten minutes.
 *
 * @param brief of which objects only a part is read
 * @param ping time between pings
 * @param nanoTime a clock that never goes back
 */
record LiveWebSockets(
    WebSocket.Builder made, Optional<BriefJson> brief, Duration ping, LongSupplier nanoTime)
    implements WebSocket.Builder {
  /** Pings without an answer after which a web socket has failed. */
  private static final int UNANSWERED = 3;

  @Override
  public CompletableFuture<WebSocket> buildAsync(URI uri, WebSocket.Listener listener) {
    return made.buildAsync(
        uri, new Pinging(listener, brief.filter(it -> it.concerns(uri)), ping, nanoTime));
  }

  @Override
  public WebSocket.Builder header(String name, String value) {
    return new LiveWebSockets(made.header(name, value), brief, ping, nanoTime);
  }

  @Override
  public WebSocket.Builder connectTimeout(Duration timeout) {
    return new LiveWebSockets(made.connectTimeout(timeout), brief, ping, nanoTime);
  }

  @Override
  public WebSocket.Builder subprotocols(String mostPreferred, String... lesserPreferred) {
    return new LiveWebSockets(
        made.subprotocols(mostPreferred, lesserPreferred), brief, ping, nanoTime);
  }

  private static final class Pinging implements WebSocket.Listener {
    private final WebSocket.Listener listener;
    private final Optional<BriefJson> brief;
    private final Duration ping;
    private final LongSupplier nanoTime;
    private volatile long receivedAt;

    /** Of a message of which only a part is read. */
    private StringBuilder text = new StringBuilder();

    Pinging(
        WebSocket.Listener listener,
        Optional<BriefJson> brief,
        Duration ping,
        LongSupplier nanoTime) {
      this.listener = listener;
      this.brief = brief;
      this.ping = ping;
      this.nanoTime = nanoTime;
    }

    private void pingLater(WebSocket socket) {
      CompletableFuture.delayedExecutor(ping.toNanos(), NANOSECONDS).execute(() -> ping(socket));
    }

    private void ping(WebSocket socket) {
      if (socket.isInputClosed()) {
        return;
      }
      var silence = Duration.ofNanos(nanoTime.getAsLong() - receivedAt);
      if (silence.compareTo(ping.multipliedBy(UNANSWERED)) < 0) {
        var _ = socket.sendPing(ByteBuffer.allocate(0));
        pingLater(socket);
        return;
      }
      socket.abort();
      listener.onError(
          socket,
          new HttpTimeoutException(
              "nothing was received for %d s, not even the answer to a ping"
                  .formatted(silence.toSeconds())));
    }

    private void received() {
      receivedAt = nanoTime.getAsLong();
    }

    @Override
    public void onOpen(WebSocket socket) {
      received();
      pingLater(socket);
      listener.onOpen(socket);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      received();
      if (brief.isEmpty()) {
        return listener.onText(socket, data, last);
      }
      text.append(data);
      if (!last) {
        socket.request(1);
        return null;
      }
      var whole = text.toString();
      text = new StringBuilder();
      return listener.onText(socket, brief.get().event(whole), true);
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
      received();
      return listener.onBinary(socket, data, last);
    }

    @Override
    public @Nullable CompletionStage<?> onPing(WebSocket socket, ByteBuffer message) {
      received();
      return listener.onPing(socket, message);
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
      received();
      return listener.onPong(socket, message);
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
      return listener.onClose(socket, status, reason);
    }

    @Override
    public void onError(WebSocket socket, Throwable failure) {
      listener.onError(socket, failure);
    }
  }
}
