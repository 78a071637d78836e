package io.prescale.controller.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prescale.controller.telemetry.Telemetry;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetSocketAddress;

/** {@code /metrics} for Prometheus, without TLS and without secrets. */
final class MetricsPage implements AutoCloseable {
  private final HttpServer server;

  private MetricsPage(HttpServer server) {
    this.server = server;
  }

  /**
   * Begins to answer.
   *
   * @throws IOException if the port is taken
   */
  static MetricsPage start(String host, int port, Telemetry telemetry) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(host, port), 0);
    server.createContext("/metrics", exchange -> answer(exchange, telemetry));
    server.start();
    return new MetricsPage(server);
  }

  private static void answer(HttpExchange exchange, Telemetry telemetry) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET");
        exchange.sendResponseHeaders(405, -1);
        return;
      }
      var page = new StringWriter();
      telemetry.write(page);
      var body = page.toString().getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", Telemetry.CONTENT_TYPE);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
