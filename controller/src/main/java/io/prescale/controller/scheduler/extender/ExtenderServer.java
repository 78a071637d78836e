package io.prescale.controller.scheduler.extender;

import static io.prescale.controller.scheduler.extender.StatusPages.send;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.prescale.controller.scheduler.extender.ExtenderApi.Verb;
import io.prescale.controller.scheduler.extender.Question.MalformedRequestException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The extender on a port: {@code POST /filter}, {@code /prioritize}, {@code /preempt} and {@code
 * /bind}, and {@link StatusPages}; those on a port of their own as well, for whoever may not
 * decide.
 */
final class ExtenderServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExtenderServer.class);

  /** 5,000 whole nodes of 20 KB. */
  private static final int LARGEST_BODY = 128 * 1024 * 1024;

  private static final int BACKLOG = 512;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Optional<HttpServer> openPages;
  private final ExtenderApi api;
  private final BooleanSupplier isReady;
  private final ExtenderMetrics metrics;
  private final LongSupplier nanoTime;

  private ExtenderServer(
      HttpServer server,
      Optional<HttpServer> openPages,
      ExtenderApi api,
      BooleanSupplier isReady,
      ExtenderMetrics metrics,
      LongSupplier nanoTime) {
    this.server = server;
    this.openPages = openPages;
    this.api = api;
    this.isReady = isReady;
    this.metrics = metrics;
    this.nanoTime = nanoTime;
  }

  /**
   * Begins to answer.
   *
   * @throws IOException if the port is taken
   */
  static ExtenderServer start(
      ExtenderSettings settings,
      ExtenderApi api,
      ExtenderMetrics metrics,
      StatusPages pages,
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
    var server = new ExtenderServer(http, openPages(settings), api, isReady, metrics, nanoTime);
    for (var verb : Verb.values()) {
      http.createContext(
          "/" + verb.name().toLowerCase(Locale.ROOT), exchange -> server.answer(verb, exchange));
    }
    pages.serveOn(http);
    http.setExecutor(server.threads);
    http.start();
    server.openPages.ifPresent(
        open -> {
          pages.serveOn(open);
          // Whoever sends or reads slowly keeps nobody else waiting.
          open.setExecutor(server.threads);
          open.start();
        });
    return server;
  }

  private static Optional<HttpServer> openPages(ExtenderSettings settings) throws IOException {
    return settings.metricsPort().isEmpty()
        ? Optional.empty()
        : Optional.of(
            HttpServer.create(new InetSocketAddress(settings.metricsPort().getAsInt()), 0));
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

  /** The port of the pages for everybody. */
  OptionalInt metricsPort() {
    return openPages.map(HttpServer::getAddress).stream()
        .mapToInt(InetSocketAddress::getPort)
        .findFirst();
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
        send(exchange, 503, "text/plain", StatusPages.NOT_READY.getBytes(UTF_8));
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

  @Override
  public void close() {
    server.stop(0);
    openPages.ifPresent(pages -> pages.stop(0));
    threads.shutdownNow();
  }
}
