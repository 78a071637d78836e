package io.prescale.adapter.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A page of many megabytes, and clients that ask for it again and again and do not read. */
@Timeout(120)
class SharedPageTest {
  private static final int SIZE = 8 << 20;

  private Instant now = Instant.parse("2026-11-25T12:00:00Z");
  private int written;
  private final SharedPage page =
      new SharedPage(
          writer -> {
            written++;
            writer.write("x".repeat(SIZE));
          },
          () -> now);

  @Test
  void isMadeOnceASecondForAll() throws Exception {
    for (int i = 0; i < 10; i++) {
      try (var taken = taken()) {
        assertThat(taken.readAllBytes()).hasSize(SIZE);
      }
    }
    assertThat(written).isEqualTo(1);

    now = now.plusSeconds(1);
    taken().close();
    assertThat(written).isEqualTo(2);
    now = now.minus(Duration.ofDays(1));
    taken().close();
    assertThat(written).as("after a clock that went back").isEqualTo(3);
  }

  @Test
  void isOnItsWayToEightAtATime() throws Exception {
    var others = new ArrayList<InputStream>();
    for (int i = 0; i < 6; i++) {
      others.add(taken());
    }
    var first = taken();
    var second = taken();

    assertThat(page.answer().code()).isEqualTo(429);
    first.close();
    first.close();
    assertThat(page.answer().code()).isEqualTo(200);
    assertThat(page.answer().code()).as("closed twice, freed once").isEqualTo(429);
    second.close();
    assertThat(page.answer().code()).isEqualTo(200);
    assertThat(others).hasSize(6);
  }

  /** Whether it takes little by little, or its answer's stream is never closed. */
  @Test
  void aPageThatIsNotTakenWithinHalfAMinuteFreesItsPlace() throws Exception {
    var slow = new ArrayList<InputStream>();
    for (int i = 0; i < 8; i++) {
      slow.add(taken());
      assertThat(slow.get(i).readNBytes(9)).hasSize(9);
    }
    now = now.plusMillis(29_999);
    assertThat(slow.getFirst().readNBytes(9)).hasSize(9);
    assertThat(page.answer().code()).isEqualTo(429);

    now = now.plusMillis(1);
    assertThat(page.answer().code()).isEqualTo(200);
    for (var stream : slow) {
      assertThatThrownBy(() -> stream.readNBytes(9)).hasMessageContaining("not taken within");
    }
  }

  @Test
  void aPageThatTookLongToMakeHasItsHalfMinuteAfterThat() throws Exception {
    var late =
        new SharedPage(
            writer -> {
              now = now.plusSeconds(40);
              writer.write("x".repeat(SIZE));
            },
            () -> now);
    try (var taken = Objects.requireNonNull(late.answer().body())) {
      now = now.plusMillis(29_999);
      assertThat(taken.readAllBytes()).hasSize(SIZE);
    }
  }

  @Test
  void aPageForWhichMemoryWasShortTakesNoPlace() throws Exception {
    var tooLarge = new SharedPage(_ -> refuse(), () -> now);
    for (int i = 0; i < 9; i++) {
      assertThatThrownBy(tooLarge::answer).isInstanceOf(OutOfMemoryError.class);
    }
  }

  private static void refuse() {
    throw new OutOfMemoryError("as a test");
  }

  @Test
  void aClientThatDoesNotReadLosesItsPlaceInTime() throws Exception {
    var silent = new ArrayList<Socket>();
    try (var server =
        new TestServer(
            Map.of("prescale.connections.taken-within", Duration.ofSeconds(1), "large-page", true),
            TestServer::mayDo)) {
      for (int i = 0; i < 8; i++) {
        silent.add(asking(server));
        assertThat(silent.get(i).getInputStream().readNBytes(9)).asString().isEqualTo("HTTP/1.1 ");
      }

      var status = 0;
      while (status != 200) { // 429 until the others are closed
        status = wholeAnswer(server);
        assertThat(status).isIn(200, 429);
      }
    } finally {
      for (var socket : silent) {
        socket.close();
      }
    }
  }

  private InputStream taken() throws IOException, InterruptedException {
    return Objects.requireNonNull(page.answer().body());
  }

  private static Socket asking(TestServer server) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), server.port(TestServer.PLAIN));
    socket
        .getOutputStream()
        .write(
            "GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                .getBytes(StandardCharsets.UTF_8));
    return socket;
  }

  private static int wholeAnswer(TestServer server) throws IOException {
    try (var socket = asking(server)) {
      var all = socket.getInputStream().readAllBytes();
      int status = Integer.parseInt(new String(all, 9, 3, StandardCharsets.UTF_8));
      assertThat(status == 429 || all.length > SIZE).isTrue();
      return status;
    }
  }

  @Controller("/large")
  @OnListener(TestServer.PLAIN)
  @Requires(property = "large-page")
  @ExecuteOn(TaskExecutors.BLOCKING)
  static final class LargePage {
    private final SharedPage page =
        new SharedPage(writer -> writer.write("x".repeat(SIZE)), Instant::now);

    @Get(produces = "text/plain")
    HttpResponse<InputStream> page() throws IOException, InterruptedException {
      return page.answer();
    }
  }
}
