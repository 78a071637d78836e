package io.prescale.adapter.keda;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.prescale.adapter.server.Listener;
import io.prescale.adapter.server.ListenerException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The gRPC server for KEDA, on a port of its own. Each operator of KEDA has one connection for all
 * of its triggers, so that streams are limited rather than connections.
 */
public final class ExternalScalerServer implements AutoCloseable {
  private static final int MOST_CONNECTIONS = 64;

  /** A trigger of type {@code external-push} has one, and two in KEDA 2.21. */
  private static final int MOST_STREAMS = 4_000;

  /** Beside streams, which stay open, calls that are answered at once. */
  private static final int MOST_CALLS_OF_A_CONNECTION = 2 * MOST_STREAMS;

  private static final int LONGEST_MESSAGE = 64 << 10;
  private static final int LONGEST_HEADERS = 16 << 10;
  private static final Duration HANDSHAKE_WITHIN = Duration.ofSeconds(10);
  private static final Duration IDLE = Duration.ofMinutes(5);
  private static final Duration PING_AFTER = Duration.ofMinutes(1);
  private static final Duration PONG_WITHIN = Duration.ofSeconds(20);
  private static final Duration LEAST_BETWEEN_PINGS = Duration.ofSeconds(10);
  private static final Duration TO_END = Duration.ofSeconds(2);

  private static final int MOST_RESETS = 1_000;
  private static final int WITHIN_SECONDS = 10;

  private final Listener listener;
  private final PushStreams streams;
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final Server server;

  /** A server that has not started; the listener's port 0 takes a free one. */
  public ExternalScalerServer(ExternalScaler scaler, ScalerTls tls, Listener listener) {
    this(scaler, tls, listener, MOST_STREAMS, Duration.ofSeconds(1));
  }

  ExternalScalerServer(
      ExternalScaler scaler, ScalerTls tls, Listener listener, int mostStreams, Duration look) {
    this.listener = listener;
    this.streams = new PushStreams(scaler, mostStreams, look);
    var admission = new Admission(MOST_CONNECTIONS);
    this.server =
        NettyServerBuilder.forAddress(new InetSocketAddress(listener.host(), listener.port()))
            .channelFactory(admission::port)
            .addTransportFilter(admission)
            .bossEventLoopGroup(loops)
            .workerEventLoopGroup(loops)
            .directExecutor() // an answer is read from memory
            .sslContext(tls.context())
            .intercept(new AllowedClients(tls.clients()))
            .addService(new ExternalScalerService(scaler, streams))
            .maxConcurrentCallsPerConnection(MOST_CALLS_OF_A_CONNECTION)
            .maxInboundMessageSize(LONGEST_MESSAGE)
            .maxInboundMetadataSize(LONGEST_HEADERS)
            .maxRstFramesPerWindow(MOST_RESETS, WITHIN_SECONDS)
            .handshakeTimeout(HANDSHAKE_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
            .maxConnectionIdle(IDLE.toSeconds(), TimeUnit.SECONDS)
            .keepAliveTime(PING_AFTER.toSeconds(), TimeUnit.SECONDS)
            .keepAliveTimeout(PONG_WITHIN.toSeconds(), TimeUnit.SECONDS)
            .permitKeepAliveTime(LEAST_BETWEEN_PINGS.toSeconds(), TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .build();
  }

  /**
   * Binds the port and begins to answer.
   *
   * @throws ListenerException if the port is taken
   */
  public void start() throws ListenerException {
    try {
      server.start();
    } catch (IOException e) {
      throw new ListenerException(listener, e.getCause() == null ? e : e.getCause());
    }
  }

  /** The port that it is bound to. */
  public int port() {
    return server.getPort();
  }

  /** Takes no more calls, ends the streams, then the connections; returns when the port is free. */
  @Override
  public void close() {
    server.shutdown();
    streams.close();
    try {
      if (!server.awaitTermination(TO_END.toMillis(), TimeUnit.MILLISECONDS)) {
        server.shutdownNow();
        var _ = server.awaitTermination(TO_END.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException _) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
    loops
        .shutdownGracefully(0, TO_END.toMillis(), TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(TO_END.toMillis());
  }
}
