package io.prescale.controller.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** A page of gauges for Prometheus to scrape, whose values a test sets. */
public final class Gauges implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, Double> values = new ConcurrentSkipListMap<>();

  /** An empty page. */
  public static Gauges start() throws IOException {
    var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return new Gauges(HttpServer.create(loopback, 0));
  }

  private Gauges(HttpServer server) {
    this.server = server;
    server.createContext(
        "/metrics",
        exchange -> {
          var page = new StringBuilder();
          values.forEach((series, value) -> page.append("%s %s%n".formatted(series, value)));
          var body = page.toString().getBytes(UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  /** Host and port. */
  public String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /**
   * Sets a value.
   *
   * @param series a name, with labels if wanted: {@code load{pod="a"}}
   */
  public void set(String series, double value) {
    values.put(series, value);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
