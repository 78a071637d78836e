package io.prescale.adapter.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection on which the headers of a request are not complete in time. Stands behind the
 * decoder of HTTP/1, which passes on nothing but the end of a read until they are; with HTTP/2,
 * {@link HeaderBlocks} reports them.
 */
final class RequestArrival extends ChannelInboundHandlerAdapter {
  private final Channel channel;
  private final OpenConnections connections;
  private final Duration within;
  private @Nullable Future<?> deadline;
  private boolean inRequest;
  private boolean decoded;

  RequestArrival(Channel channel, OpenConnections connections, Duration within) {
    this.channel = channel;
    this.connections = connections;
    this.within = within;
  }

  /** A request is expected from now on. */
  void expect() {
    if (deadline == null) {
      connections.note(channel, true);
      deadline =
          channel.eventLoop().schedule(this::close, within.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void close() {
    var _ = channel.close();
  }

  /** Its headers are there. */
  void complete() {
    connections.note(channel, false);
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    decoded = true;
    if (message instanceof HttpRequest) {
      inRequest = true;
      complete();
    }
    if (message instanceof LastHttpContent) {
      inRequest = false;
    }
    ctx.fireChannelRead(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (!inRequest && !decoded) {
      expect();
    }
    decoded = false;
    ctx.fireChannelReadComplete();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    complete();
    ctx.fireChannelInactive();
  }
}
