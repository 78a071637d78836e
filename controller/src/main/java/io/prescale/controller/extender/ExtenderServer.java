package io.prescale.controller.extender;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.prescale.controller.extender.ExtenderApi.MalformedRequestException;
import io.prescale.controller.extender.ExtenderApi.Verb;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The extender on a port: {@code POST /filter}, {@code /prioritize}, {@code /preempt} and {@code
 * /bind}; {@code GET /healthz}, {@code /readyz}, {@code /problems} and {@code /metrics}.
 */
final class ExtenderServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExtenderServer.class);

  /** 5,000 whole nodes of 20 KB. */
  private static final int LARGEST_BODY = 128 * 1024 * 1024;

  private static final int BACKLOG = 512;
  private static final String NOT_READY =
      "the cluster has not been read yet, or another replica answers\n";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ExtenderApi api;
  private final Supplier<Map<String, List<String>>> problems;
  private final BooleanSupplier isReady;
  private final ExtenderMetrics metrics;
  private final LongSupplier nanoTime;

  private ExtenderServer(
      HttpServer server,
      ExtenderApi api,
      ExtenderMetrics metrics,
      Supplier<Map<String, List<String>>> problems,
      BooleanSupplier isReady,
      LongSupplier nanoTime) {
    this.server = server;
    this.api = api;
    this.metrics = metrics;
    this.problems = problems;
    this.isReady = isReady;
    this.nanoTime = nanoTime;
  }

  /**
   * Begins to answer.
   *
   * @param problems what is left out and why, by node, and by pod where one waits for its claim
   * @throws IOException if the port is taken
   */
  static ExtenderServer start(
      ExtenderSettings settings,
      ExtenderApi api,
      ExtenderMetrics metrics,
      Supplier<Map<String, List<String>>> problems,
      BooleanSupplier isReady,
      LongSupplier nanoTime)
      throws IOException {
    var address = new InetSocketAddress(settings.host(), settings.port());
    HttpServer http;
    if (settings.tls().isPresent()) {
      var https = HttpsServer.create(address, BACKLOG);
      https.setHttpsConfigurator(
          configurator(settings.tls().get(), settings.needsClientCertificate()));
      http = https;
    } else {
      http = HttpServer.create(address, BACKLOG);
    }
    var server = new ExtenderServer(http, api, metrics, problems, isReady, nanoTime);
    for (var verb : Verb.values()) {
      http.createContext(
          "/" + verb.name().toLowerCase(Locale.ROOT), exchange -> server.answer(verb, exchange));
    }
    http.createContext("/healthz", exchange -> server.show(exchange, 200, "text/plain", "ok"));
    http.createContext("/readyz", server::readiness);
    http.createContext("/problems", server::problems);
    http.createContext("/metrics", server::metrics);
    http.setExecutor(server.threads);
    http.start();
    return server;
  }

  private static HttpsConfigurator configurator(SSLContext context, boolean needsCertificate) {
    return new HttpsConfigurator(context) {
      @Override
      public void configure(HttpsParameters parameters) {
        var ssl = getSSLContext().getDefaultSSLParameters();
        ssl.setNeedClientAuth(needsCertificate);
        parameters.setSSLParameters(ssl);
      }
    };
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void answer(Verb verb, HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("POST")) {
        exchange.getResponseHeaders().set("Allow", "POST");
        send(exchange, 405, "text/plain", "POST a request of extender v1\n".getBytes(UTF_8));
        return;
      }
      var body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
      if (body.length > LARGEST_BODY) {
        send(exchange, 413, "text/plain", "the body is too large\n".getBytes(UTF_8));
      } else if (!isReady.getAsBoolean()) {
        send(exchange, 503, "text/plain", NOT_READY.getBytes(UTF_8));
      } else {
        answer(verb, body, exchange);
      }
    }
  }

  private void answer(Verb verb, byte[] body, HttpExchange exchange) throws IOException {
    long start = nanoTime.getAsLong();
    try {
      send(exchange, 200, "application/json", api.answer(verb, body));
    } catch (MalformedRequestException e) {
      send(exchange, 400, "text/plain", (e.getMessage() + "\n").getBytes(UTF_8));
    } catch (InterruptedException _) {
      send(exchange, 503, "text/plain", "the extender stops\n".getBytes(UTF_8));
    } catch (RuntimeException e) {
      LOG.error("{} failed", verb, e);
      send(exchange, 500, "text/plain", (e.getMessage() + "\n").getBytes(UTF_8));
    } finally {
      metrics.answered(verb, nanoTime.getAsLong() - start);
    }
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

  private void metrics(HttpExchange exchange) throws IOException {
    var page = new StringWriter();
    metrics.write(page);
    show(exchange, 200, ExtenderMetrics.CONTENT_TYPE, page.toString());
  }

  private void show(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    try (exchange) {
      send(exchange, status, type, text.getBytes(UTF_8));
    }
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
