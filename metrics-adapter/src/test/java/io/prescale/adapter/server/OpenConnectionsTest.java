package io.prescale.adapter.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.junit.jupiter.api.Test;

class OpenConnectionsTest {
  private final OpenConnections connections = new OpenConnections(3);

  private static final class From extends EmbeddedChannel {
    private final String address;

    From(String address) {
      this.address = address;
    }

    @Override
    protected SocketAddress remoteAddress0() {
      return InetSocketAddress.createUnresolved(String.valueOf(address), 40_000);
    }
  }

  @Test
  void theOldestThatWaitsGoesFirst() {
    var asked = active("10.0.0.1");
    var waiting = admitted("10.0.0.2");
    var younger = admitted("10.0.0.1");

    var next = admitted("10.0.0.1");

    assertThat(waiting.isOpen()).isFalse();
    assertThat(asked.isOpen() && younger.isOpen() && next.isOpen()).isTrue();
  }

  @Test
  void whoHoldsAllConnectionsLocksNobodyOut() {
    var quietest = active("10.0.0.66");
    var second = active("10.0.0.66");
    var third = active("10.0.0.66");

    var apiServer = active("10.0.0.1");

    assertThat(quietest.isOpen()).isFalse();
    assertThat(second.isOpen() && third.isOpen() && apiServer.isOpen()).isTrue();
  }

  @Test
  void whoHasTheMostGivesUpItsOwnForANewOne() {
    var apiServer = active("10.0.0.1");
    var quietest = active("10.0.0.66");
    var second = active("10.0.0.66");

    var next = active("10.0.0.66");

    assertThat(quietest.isOpen()).isFalse();
    assertThat(apiServer.isOpen() && second.isOpen() && next.isOpen()).isTrue();
  }

  @Test
  void theQuietestGoesFirst() {
    var first = active("10.0.0.1");
    var second = active("10.0.0.1");
    active("10.0.0.1");
    connections.note(first, false);

    active("10.0.0.1");

    assertThat(first.isOpen()).isTrue();
    assertThat(second.isOpen()).isFalse();
  }

  @Test
  void oneThatHasGoneLeavesRoom() {
    var first = active("10.0.0.1");
    var second = active("10.0.0.1");
    var third = active("10.0.0.1");
    var _ = second.close();

    active("10.0.0.1");

    assertThat(first.isOpen() && third.isOpen()).isTrue();
  }

  private From active(String address) {
    var channel = admitted(address);
    connections.note(channel, false);
    return channel;
  }

  private From admitted(String address) {
    var channel = new From(address);
    connections.admit(channel);
    return channel;
  }
}
