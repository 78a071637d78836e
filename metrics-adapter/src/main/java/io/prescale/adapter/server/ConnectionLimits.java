package io.prescale.adapter.server;

import io.micronaut.context.annotation.Value;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Bounds what connections can hold of a server: each listener has so many of them, and on each the
 * headers of a request must be complete and what is sent must be taken in time.
 */
@Singleton
final class ConnectionLimits
    implements NettyServerCustomizer, BeanCreatedEventListener<NettyServerCustomizer.Registry> {
  private final int atMost;
  private final Duration headersWithin;
  private final Duration takenWithin;

  /**
   * @param atMost connections of one listener
   * @param headersWithin from the start of a connection or of a request
   * @param takenWithin from the sending of a part of an answer
   */
  ConnectionLimits(
      @Value("${prescale.connections.at-most:256}") int atMost,
      @Value("${prescale.connections.headers-within:10s}") Duration headersWithin,
      @Value("${prescale.connections.taken-within:10s}") Duration takenWithin) {
    this.atMost = atMost;
    this.headersWithin = headersWithin;
    this.takenWithin = takenWithin;
  }

  @Override
  public Registry onCreated(BeanCreatedEvent<Registry> event) {
    event.getBean().register(this);
    return event.getBean();
  }

  @Override
  public NettyServerCustomizer specializeForChannel(Channel channel, ChannelRole role) {
    return role == ChannelRole.LISTENER ? new OfListener(new OpenConnections(atMost)) : this;
  }

  private final class OfListener implements NettyServerCustomizer {
    private final OpenConnections connections;

    OfListener(OpenConnections connections) {
      this.connections = connections;
    }

    @Override
    public NettyServerCustomizer specializeForChannel(Channel channel, ChannelRole role) {
      return role == ChannelRole.CONNECTION ? new OfConnection(channel, connections) : this;
    }
  }

  private final class OfConnection implements NettyServerCustomizer {
    private final Channel channel;
    private final RequestArrival arrival;

    OfConnection(Channel channel, OpenConnections connections) {
      this.channel = channel;
      this.arrival = new RequestArrival(channel, connections, headersWithin);
      connections.admit(channel);
      arrival.expect();
      channel.pipeline().addFirst("taken-in-time", new TakenInTime(takenWithin));
    }

    @Override
    public void onInitialPipelineBuilt() {
      var http2 = channel.pipeline().context(Http2ConnectionHandler.class);
      if (http2 != null) {
        channel.pipeline().addBefore(http2.name(), "header-blocks", new HeaderBlocks(arrival));
      }
    }

    /** By HTTP/1; one with HTTP/2 has pipelines of its own for its requests, or none. */
    @Override
    public void onStreamPipelineBuilt() {
      var codec = channel.pipeline().context(HttpServerCodec.class);
      if (codec != null) {
        channel.pipeline().addAfter(codec.name(), "request-arrival", arrival);
      }
    }
  }
}
