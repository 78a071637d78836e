package io.prescale.adapter.server;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.exceptions.BeanContextException;
import io.micronaut.http.netty.channel.EventLoopGroupRegistry;
import io.micronaut.http.server.exceptions.ServerStartupException;
import io.micronaut.http.server.netty.NettyEmbeddedServer;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Micronaut context with one Netty server, which has a listener for each port. Its parts start in
 * this order: beans that the server needs, the ports, then every listener to {@link
 * ListenersBound}. Closing destroys the beans, dependents first.
 */
public final class ListeningContext implements AutoCloseable {
  /** In bytes; a caller may be in hundreds of groups, and each is a header. */
  private static final int MOST_OF_HEADERS = 128 * 1024;

  /** Of a connection, as Go's servers have it. */
  private static final int MOST_STREAMS = 250;

  /** Shards and a Lease are released after it. */
  private static final Duration TIME_TO_CLOSE = Duration.ofSeconds(2);

  /** Without any, event loops end before they have closed all of theirs. */
  private static final Duration QUIET = Duration.ofMillis(10);

  private final ApplicationContext context;
  private final boolean isListening;
  private final List<EventLoopGroup> eventLoops;

  private ListeningContext(
      ApplicationContext context, boolean isListening, List<EventLoopGroup> eventLoops) {
    this.context = context;
    this.isListening = isListening;
    this.eventLoops = List.copyOf(eventLoops);
  }

  /**
   * Starts a program; when that fails, nothing of it runs any more.
   *
   * @param program the environment that its beans require
   * @param listeners none for a program that answers nothing
   * @param properties more of Micronaut's properties
   * @param beans settings and other objects that are there before
   * @throws ListenerException if a port is taken
   * @throws IOException or a RuntimeException, as a bean threw it when it was made
   */
  public static ListeningContext start(
      String program, List<Listener> listeners, Map<String, Object> properties, Object... beans)
      throws IOException {
    var context =
        ApplicationContext.builder(program)
            .properties(properties(program, listeners, properties))
            .singletons(beans)
            .banner(false)
            .deduceEnvironment(false)
            .build();
    var eventLoops = new ArrayList<EventLoopGroup>();
    try {
      context.start();
      eventLoops.addAll(eventLoops(context));
      if (!listeners.isEmpty()) {
        context.getBean(NettyEmbeddedServer.class).start();
      }
      context.publishEvent(new ListenersBound());
      return new ListeningContext(context, !listeners.isEmpty(), eventLoops);
    } catch (ServerStartupException e) {
      close(context, eventLoops);
      throw unbound(listeners, e);
    } catch (RuntimeException e) {
      close(context, eventLoops);
      throw asThrown(e);
    }
  }

  /** What a bean threw, without Micronaut's words around it. */
  private static RuntimeException asThrown(RuntimeException e) throws IOException {
    Throwable cause = e;
    while ((cause instanceof BeanContextException || cause instanceof UncheckedIOException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof IOException io) {
      throw io;
    }
    return cause instanceof RuntimeException own ? own : e;
  }

  /** What is set here stands above the environment and files: limits hold whatever those say. */
  private static Map<String, Object> properties(
      String program, List<Listener> listeners, Map<String, Object> more) {
    var properties = new HashMap<String, Object>();
    properties.put("micronaut.application.name", "prescale-" + program);
    properties.put("micronaut.server.http-version", "2.0");
    properties.put("micronaut.server.netty.max-initial-line-length", 64 * 1024);
    properties.put("micronaut.server.netty.max-header-size", MOST_OF_HEADERS);
    properties.put("micronaut.server.netty.http2.max-header-list-size", MOST_OF_HEADERS);
    properties.put("micronaut.server.netty.http2.max-concurrent-streams", MOST_STREAMS);
    properties.put("micronaut.server.max-request-size", "1MB");
    properties.put("micronaut.server.idle-timeout", "5m");
    properties.put("micronaut.server.log-handled-exceptions", false);
    properties.put("endpoints.all.enabled", false);
    properties.put("endpoints.health.enabled", true);
    properties.put("endpoints.health.sensitive", false);
    properties.put("endpoints.health.details-visible", "ANONYMOUS");
    properties.put("endpoints.health.disk-space.enabled", false);
    properties.put("endpoints.health.discovery-client.enabled", false);
    properties.put("endpoints.health.service-ready-indicator-enabled", false);
    properties.put("micronaut.netty.event-loops.parent.num-threads", 1);
    for (var listener : listeners) {
      var prefix = "micronaut.server.netty.listeners." + listener.name();
      properties.put(prefix + ".host", listener.host());
      properties.put(prefix + ".port", listener.port());
      properties.put(prefix + ".ssl", listener.tls());
    }
    properties.putAll(more);
    return properties;
  }

  /** The server's own message names the address that it could not bind. */
  private static ListenerException unbound(List<Listener> listeners, ServerStartupException e) {
    Throwable cause = e;
    while (!(cause instanceof SocketException) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    var message = String.valueOf(e.getMessage());
    for (var listener : listeners) {
      if (message.endsWith(":" + listener.port())) {
        return new ListenerException(listener, cause);
      }
    }
    throw e;
  }

  /** The port that a listener is bound to. */
  public int port(String listener) {
    return context.getBean(Listeners.class).port(listener);
  }

  /** Waits until the thread is interrupted; never returns. */
  public @Nullable Void await() throws InterruptedException {
    new CountDownLatch(1).await();
    return null;
  }

  /** A part of the program. */
  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** Ends its connections, then destroys the beans; returns when the ports are free. */
  @Override
  public void close() {
    if (isListening) {
      endConnections();
    }
    close(context, eventLoops);
  }

  /** Answers the requests that are there: later ones would find no beans in a closed context. */
  private void endConnections() {
    try {
      var _ =
          context
              .getBean(NettyEmbeddedServer.class)
              .shutdownGracefully()
              .toCompletableFuture()
              .get(TIME_TO_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException _) {
      // A connection that has not ended by then is cut.
    }
  }

  /**
   * The event loops end first, with the ports and what connections are left: one that was accepted
   * while the others ended may still ask, and would find no beans in a closed context.
   */
  private static void close(ApplicationContext context, List<EventLoopGroup> eventLoops) {
    long most = TIME_TO_CLOSE.toMillis();
    var ending =
        eventLoops.stream()
            .map(it -> it.shutdownGracefully(QUIET.toMillis(), most, TimeUnit.MILLISECONDS))
            .toList();
    ending.forEach(it -> it.awaitUninterruptibly(most));
    context.close();
  }

  private static List<EventLoopGroup> eventLoops(ApplicationContext context) {
    var registry = context.getBean(EventLoopGroupRegistry.class);
    return Stream.of("default", "parent")
        .flatMap(name -> registry.getEventLoopGroup(name).stream())
        .toList();
  }
}
