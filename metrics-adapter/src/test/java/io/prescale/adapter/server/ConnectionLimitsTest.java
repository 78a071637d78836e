package io.prescale.adapter.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients can do to a listener that never finish a request, or never send one. */
class ConnectionLimitsTest {
  private static final Duration DEADLINE = Duration.ofSeconds(1);
  private static final String HALF = "GET /metrics HTTP/1.1\r\nHost: x\r\nX-Slow: ";
  private static final String WHOLE = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n";
  private static final String HTTP2_PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  /** HPACK: GET, https, and as literals :path /livez and :authority x. */
  private static final String BLOCK = "8287" + "04062f6c6976657a" + "010178";

  private final List<Socket> opened = new ArrayList<>();
  private TestServer server = TestServer.start();

  @AfterEach
  void stop() throws IOException {
    for (var socket : opened) {
      socket.close();
    }
    server.close();
  }

  @Test
  void aFloodOfHalfSentRequestsHoldsTwoHundredAndFiftySixConnections() throws IOException {
    for (int i = 0; i < 1_000; i++) {
      plain(TestServer.PLAIN, HALF);
    }

    assertThat(statusOf(plain(TestServer.PLAIN, WHOLE))).isEqualTo(404);
    awaitBounded();
  }

  @Test
  void aFloodOfHalfSentRequestsWithTlsIsBoundedTheSameWay() throws IOException {
    for (int i = 0; i < 400; i++) {
      encrypted("http/1.1", HALF.getBytes(StandardCharsets.UTF_8));
    }

    assertThat(server.client().send("GET", "/livez").status()).isEqualTo(200);
    awaitBounded();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", HALF})
  void aRequestWhoseHeadersDoNotComeClosesTheConnection(String sent) throws Exception {
    restart(256);
    var plain = plain(TestServer.PLAIN, sent);
    var encrypted = encrypted("http/1.1", sent.getBytes(StandardCharsets.UTF_8));
    var bytes = encrypted.getOutputStream();

    for (int drops = 0; drops < 3; drops++) { // a slow one does not gain time
      Thread.sleep(DEADLINE.dividedBy(4));
      plain.getOutputStream().write('a');
      bytes.write('a');
    }

    assertThat(endsWithin(DEADLINE, plain)).isTrue();
    assertThat(endsWithin(DEADLINE, encrypted)).isTrue();
  }

  @Test
  void anAnsweredConnectionStaysUntilItsNextRequestIsHalfSent() throws Exception {
    restart(256);
    var socket = encrypted("http/1.1", WHOLE.getBytes(StandardCharsets.UTF_8));
    assertThat(statusOf(socket)).isEqualTo(200);
    Thread.sleep(DEADLINE.multipliedBy(2));

    socket.getOutputStream().write(WHOLE.getBytes(StandardCharsets.UTF_8));
    assertThat(statusOf(socket)).isEqualTo(200);
    socket.getOutputStream().write(HALF.getBytes(StandardCharsets.UTF_8));

    assertThat(endsWithin(DEADLINE.multipliedBy(2), socket)).isTrue();
  }

  @Test
  void http2NeedsARequestTooAndThenStays() throws Exception {
    restart(256);
    var silent = http2();
    var asking = http2(request("05", 1, BLOCK));

    assertThat(endsWithin(DEADLINE.multipliedBy(2), silent)).isTrue();
    assertThat(endsWithin(DEADLINE, asking)).isFalse();
  }

  /** A client that has asked once could otherwise hold as many connections as it likes. */
  @Test
  void http2NeedsEachRequestInTime() throws Exception {
    restart(256);
    var first = request("05", 1, BLOCK);
    var unfinishedBlock = http2(first, request("01", 3, BLOCK));
    var unfinishedFrame = http2(first, frame("01", "05", 3, BLOCK).substring(0, 24));
    var inParts = http2(first, request("01", 3, "8287"), frame("09", "04", 3, BLOCK.substring(4)));
    var idle = http2(first, frame("06", "00", 0, "00".repeat(8)));

    assertThat(endsWithin(DEADLINE.multipliedBy(2), unfinishedBlock)).isTrue();
    assertThat(endsWithin(DEADLINE, unfinishedFrame)).isTrue();
    assertThat(endsWithin(DEADLINE, inParts)).isFalse();
    assertThat(endsWithin(DEADLINE, idle)).isFalse();
  }

  @Test
  void http2GainsNoTimeByDrops() throws Exception {
    restart(256);
    var slow = http2(request("05", 1, BLOCK), request("01", 3, "82"));

    for (int drops = 0; drops < 3; drops++) {
      Thread.sleep(DEADLINE.dividedBy(4));
      slow.getOutputStream().write(HexFormat.of().parseHex(frame("09", "00", 3, "87")));
    }

    assertThat(endsWithin(DEADLINE, slow)).isTrue();
  }

  /** A connection whose client has sent its settings and these frames. */
  private Socket http2(String... frames) throws IOException {
    var settings = frame("04", "00", 0, "");
    return encrypted(
        "h2",
        HTTP2_PREFACE.getBytes(StandardCharsets.UTF_8),
        HexFormat.of().parseHex(settings + String.join("", frames)));
  }

  private static String request(String flags, int stream, String block) {
    return frame("01", flags, stream, block);
  }

  private static String frame(String type, String flags, int stream, String payload) {
    return "%06x%s%s%08x%s".formatted(payload.length() / 2, type, flags, stream, payload);
  }

  private void restart(int atMost) {
    server.close();
    server =
        new TestServer(
            Map.of(
                "prescale.connections.at-most",
                atMost,
                "prescale.connections.headers-within",
                DEADLINE),
            TestServer::mayDo);
  }

  private Socket plain(String listener, String sent) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), server.port(listener));
    opened.add(socket);
    socket.getOutputStream().write(sent.getBytes(StandardCharsets.UTF_8));
    return socket;
  }

  private Socket encrypted(String protocol, byte[]... sent) throws IOException {
    var socket = server.client().connectBy(protocol);
    opened.add(socket);
    for (var bytes : sent) {
      socket.getOutputStream().write(bytes);
    }
    return socket;
  }

  /** Reads one answer up to the end of its headers, and the body by its length. */
  private static int statusOf(Socket socket) throws IOException {
    socket.setSoTimeout(10_000);
    var in = socket.getInputStream();
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("no answer: '" + head + "'");
      }
      head.append((char) next);
    }
    var length = head.toString().replaceAll("(?is).*content-length: ([0-9]+).*", "$1");
    in.readNBytes(Integer.parseInt(length));
    return Integer.parseInt(head.substring(9, 12));
  }

  /** A connection is closed as the next one comes, which this side learns a moment later. */
  private void awaitBounded() {
    var deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    long open = stillOpen();
    while (open > 256 && System.nanoTime() < deadline) {
      open = stillOpen();
    }
    assertThat(open).isLessThanOrEqualTo(256);
  }

  private long stillOpen() {
    return opened.stream().filter(socket -> !endsWithin(Duration.ofMillis(1), socket)).count();
  }

  private static boolean endsWithin(Duration time, Socket socket) {
    try {
      socket.setSoTimeout((int) time.toMillis());
      while (socket.getInputStream().read() >= 0) {
        // what the server says before it closes
      }
      return true;
    } catch (SocketTimeoutException _) {
      return false;
    } catch (IOException _) {
      return true;
    }
  }
}
