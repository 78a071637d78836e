package io.prescale.adapter.server;

import io.micronaut.context.BeanProvider;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.server.netty.NettyEmbeddedServer;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which listener a request came in on, and the ports that were bound. Thread-safe. */
@Singleton
public final class Listeners {
  private final BeanProvider<NettyEmbeddedServer> server;
  private final NettyHttpServerConfiguration configuration;
  private volatile Map<Integer, String> names = Map.of();

  /** Made by the context; the server is asked late, because its router needs this bean. */
  Listeners(BeanProvider<NettyEmbeddedServer> server, NettyHttpServerConfiguration configuration) {
    this.server = server;
    this.configuration = configuration;
  }

  /** Whether a request came in on a listener. */
  public boolean isOn(HttpRequest<?> request, String listener) {
    return listener.equals(names().get(request.getServerAddress().getPort()));
  }

  /**
   * The port that a listener is bound to.
   *
   * @throws IllegalArgumentException if there is no such listener
   */
  public int port(String listener) {
    return names().entrySet().stream()
        .filter(name -> name.getValue().equals(listener))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no listener " + listener));
  }

  /** Names by port; the server gives its ports in the order of its configuration. */
  private Map<Integer, String> names() {
    if (names.isEmpty()) {
      var ports = server.get().getBoundPorts().iterator();
      var found = new LinkedHashMap<Integer, String>();
      for (var listener : configuration.getListeners()) {
        if (ports.hasNext()) {
          found.put(ports.next(), listener.getName());
        }
      }
      names = Map.copyOf(found);
    }
    return names;
  }
}
