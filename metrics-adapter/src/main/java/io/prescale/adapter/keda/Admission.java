package io.prescale.adapter.keda;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.ServerTransportFilter;
import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.prescale.adapter.server.OpenConnections;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Admits a limited number of connections. Those of strangers, who never complete the handshake,
 * displace each other and not KEDA's; see {@link OpenConnections}.
 */
final class Admission extends ServerTransportFilter {
  private final OpenConnections connections;
  private final Map<SocketAddress, Channel> byAddress = new ConcurrentHashMap<>();

  Admission(int atMost) {
    this.connections = new OpenConnections(atMost);
  }

  /** A port whose connections are admitted so. */
  NioServerSocketChannel port() {
    return new NioServerSocketChannel() {
      @Override
      protected int doReadMessages(List<Object> accepted) throws Exception {
        int before = accepted.size();
        int count = super.doReadMessages(accepted);
        accepted.subList(before, accepted.size()).forEach(it -> admit((Channel) it));
        return count;
      }
    };
  }

  private void admit(Channel channel) {
    var address = channel.remoteAddress();
    if (address != null) { // else it is closed already
      byAddress.put(address, channel);
      var _ = channel.closeFuture().addListener(_ -> byAddress.remove(address, channel));
    }
    connections.admit(channel);
  }

  @Override
  public Attributes transportReady(Attributes transport) {
    note(transport.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
    return transport;
  }

  private void note(@Nullable SocketAddress address) {
    var channel = address == null ? null : byAddress.get(address);
    if (channel != null) {
      connections.note(channel, false);
    }
  }
}
