package io.prescale.adapter.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
