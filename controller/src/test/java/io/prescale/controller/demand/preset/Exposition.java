package io.prescale.controller.demand.preset;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A model server as Prometheus sees it: a page of metrics on a free port of the loopback. */
public final class Exposition implements AutoCloseable {
  private final HttpServer server;

  private Exposition(HttpServer server) {
    this.server = server;
  }

  /** Serves a page. */
  public static Exposition serving(String text) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var body = text.getBytes(UTF_8);
    server.createContext(
        "/metrics",
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, body.length);
          try (var out = exchange.getResponseBody()) {
            out.write(body);
          }
        });
    server.start();
    return new Exposition(server);
  }

  /** As a scrape configuration names it. */
  public String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
