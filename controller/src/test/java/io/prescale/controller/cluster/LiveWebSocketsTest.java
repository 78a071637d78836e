package io.prescale.controller.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpTimeoutException;
import java.net.http.WebSocket;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that opens web sockets, and then answers pings or falls silent. */
@Timeout(60)
class LiveWebSocketsTest {
  private static final Duration PING = Duration.ofMillis(200);
  private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final byte[] PONG = {(byte) 0x8A, 0};

  private final HttpClient http = HttpClient.newHttpClient();
  private final ServerSocket server;
  private final AtomicInteger pings = new AtomicInteger();
  private volatile int answered = Integer.MAX_VALUE;

  LiveWebSocketsTest() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @BeforeEach
  void start() {
    Thread.ofVirtual().start(this::accept);
  }

  @AfterEach
  void stop() throws IOException {
    http.shutdownNow();
    server.close();
  }

  @Test
  void oneThatFallsSilentFailsAfterThreePings() {
    answered = 2;
    var failure = new CompletableFuture<Throwable>();
    var socket = open(failure);

    assertThat(failure.join())
        .isInstanceOf(HttpTimeoutException.class)
        .hasMessage("nothing was received for 0 s, not even the answer to a ping");
    assertThat(pings).as("two answered, three or two not").hasValueBetween(4, 5);
    assertThat(socket.isInputClosed()).isTrue();
  }

  @Test
  void oneThatAnswersPingsStaysOpen() throws Exception {
    var failure = new CompletableFuture<Throwable>();
    var socket = open(failure);
    while (pings.get() < 10) {
      Thread.sleep(10);
    }

    assertThat(failure).isNotDone();
    assertThat(socket.isInputClosed()).isFalse();
    socket.abort();
  }

  private WebSocket open(CompletableFuture<Throwable> failure) {
    return new LiveWebSockets(http.newWebSocketBuilder(), Optional.empty(), PING, System::nanoTime)
        .connectTimeout(Duration.ofSeconds(20))
        .header("X-Test", "1")
        .buildAsync(
            URI.create("ws://127.0.0.1:" + server.getLocalPort()),
            new WebSocket.Listener() {
              @Override
              public void onError(WebSocket socket, Throwable error) {
                failure.complete(error);
              }
            })
        .join();
  }

  private void accept() {
    try (var client = server.accept()) {
      shakeHands(client);
      var frames = new DataInputStream(client.getInputStream());
      var frame = new byte[6]; // of a ping: two bytes and the mask of no data
      while (true) {
        frames.readFully(frame);
        if (pings.incrementAndGet() <= answered) {
          client.getOutputStream().write(PONG);
        }
      }
    } catch (IOException | NoSuchAlgorithmException e) {
      assertThat(e).as("the client goes").isNotNull();
    }
  }

  private static void shakeHands(Socket client) throws IOException, NoSuchAlgorithmException {
    var request = new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII), 1);
    var key = "";
    for (var line = request.readLine(); !line.isEmpty(); line = request.readLine()) {
      if (line.toLowerCase(Locale.ROOT).startsWith("sec-websocket-key:")) {
        key = line.substring(line.indexOf(':') + 1).strip();
      }
    }
    var digest = MessageDigest.getInstance("SHA-1").digest((key + MAGIC).getBytes(US_ASCII));
    var answer =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: "
            + Base64.getEncoder().encodeToString(digest)
            + "\r\n\r\n";
    client.getOutputStream().write(answer.getBytes(US_ASCII));
  }
}
