package io.prescale.adapter.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ListeningContextTest {
  private static final String LOOPBACK = "127.0.0.1";

  @Test
  void eachListenerHasAPortOfItsOwn() throws IOException {
    try (var context =
        start(Listener.plain("first", LOOPBACK, 0), Listener.plain("second", LOOPBACK, 0))) {
      assertThat(context.port("first")).isPositive().isNotEqualTo(context.port("second"));
      assertThat(isFree(context.port("first"))).isFalse();
      assertThat(isFree(context.port("second"))).isFalse();
      assertThatThrownBy(() -> context.port("third")).hasMessage("there is no listener third");
    }
  }

  @Test
  void aTakenPortIsNamedAndReleasesTheOthers() throws IOException {
    int free = freePort();
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var second = Listener.plain("second", LOOPBACK, taken.getLocalPort());

      assertThatThrownBy(() -> start(Listener.plain("first", LOOPBACK, free), second))
          .isInstanceOfSatisfying(
              ListenerException.class, e -> assertThat(e.listener()).isEqualTo(second))
          .hasMessageContaining("port " + taken.getLocalPort());
      assertThat(isFree(free)).isTrue();
    }
  }

  @Test
  void closingReleasesThePorts() throws IOException {
    int port = freePort();

    start(Listener.plain("first", LOOPBACK, port)).close();

    assertThat(isFree(port)).isTrue();
  }

  @Test
  @Timeout(120)
  void noRequestThatComesDuringTheCloseMeetsAHalfClosedProgram() throws Exception {
    for (int round = 0; round < 5; round++) {
      var context = start(Listener.plain("metrics", LOOPBACK, 0));
      var uri = URI.create("http://%s:%d/health".formatted(LOOPBACK, context.port("metrics")));
      var statuses = new ConcurrentLinkedQueue<Integer>();
      var answers = new Semaphore(0);
      var askers =
          IntStream.range(0, 8)
              .mapToObj(
                  _ -> Thread.startVirtualThread(() -> askUntilClosed(uri, statuses, answers)))
              .toList();
      answers.acquire(20);

      context.close();

      for (var asker : askers) {
        asker.join();
      }
      assertThat(Set.copyOf(statuses)).as("round %d", round).containsExactly(404);
    }
  }

  private static void askUntilClosed(URI uri, Collection<Integer> statuses, Semaphore answers) {
    try (var client = HttpClient.newHttpClient()) {
      while (true) {
        var request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build();
        statuses.add(client.send(request, BodyHandlers.discarding()).statusCode());
        answers.release();
      }
    } catch (IOException _) {
      // It is closed.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static ListeningContext start(Listener... listeners) throws IOException {
    return ListeningContext.start("test", List.of(listeners), Map.of());
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static boolean isFree(int port) {
    try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
