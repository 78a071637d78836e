package io.prescale.adapter.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.timeout.WriteTimeoutHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Closes a connection on which the client does not take in time what was sent. */
final class TakenInTime extends WriteTimeoutHandler {
  TakenInTime(Duration within) {
    super(within.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Without an exception, which would be logged for each such client. */
  @Override
  protected void writeTimedOut(ChannelHandlerContext context) {
    var _ = context.close();
  }
}
