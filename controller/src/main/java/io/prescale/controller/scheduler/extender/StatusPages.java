package io.prescale.controller.scheduler.extender;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prescale.controller.web.GpuDocument;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What probes, people and Prometheus read of an extender: {@code GET /healthz}, {@code /readyz},
 * {@code /problems}, {@code /cards} and {@code /metrics}. None of it is secret, and none changes
 * anything.
 */
final class StatusPages {
  static final String NOT_READY = "the cluster has not been read yet, or another replica answers\n";

  private final Supplier<Map<String, List<String>>> problems;
  private final BooleanSupplier isReady;
  private final ExtenderMetrics metrics;
  private final CardPages cards;

  /**
   * @param problems what is left out and why, by node, and by pod where one waits for its claim
   */
  StatusPages(
      Supplier<Map<String, List<String>>> problems,
      BooleanSupplier isReady,
      ExtenderMetrics metrics,
      CardPages cards) {
    this.problems = problems;
    this.isReady = isReady;
    this.metrics = metrics;
    this.cards = cards;
  }

  /** Answers on a server as well. */
  void serveOn(HttpServer server) {
    server.createContext("/healthz", exchange -> show(exchange, 200, "text/plain", "ok"));
    server.createContext("/readyz", this::readiness);
    server.createContext("/problems", this::problems);
    server.createContext(GpuDocument.PATH, this::cards);
    server.createContext("/metrics", this::metrics);
  }

  private void readiness(HttpExchange exchange) throws IOException {
    if (isReady.getAsBoolean()) {
      show(exchange, 200, "text/plain", "ok");
    } else {
      show(exchange, 503, "text/plain", NOT_READY);
    }
  }

  private void problems(HttpExchange exchange) throws IOException {
    var page = new ObjectMapper().writerWithDefaultPrettyPrinter();
    show(exchange, 200, "application/json", page.writeValueAsString(problems.get()));
  }

  private void cards(HttpExchange exchange) throws IOException {
    try {
      var query = GpuDocument.query(exchange.getRequestURI().getRawQuery());
      show(exchange, 200, "application/json", GpuDocument.write(cards.page(query)));
    } catch (IllegalArgumentException e) {
      show(exchange, 400, "text/plain", e.getMessage() + "\n");
    }
  }

  private void metrics(HttpExchange exchange) throws IOException {
    var page = new StringWriter();
    metrics.write(page);
    show(exchange, 200, ExtenderMetrics.CONTENT_TYPE, page.toString());
  }

  private static void show(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    try (exchange) {
      send(exchange, status, type, text.getBytes(UTF_8));
    }
  }

  static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }
}
