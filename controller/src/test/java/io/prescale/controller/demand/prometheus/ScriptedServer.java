package io.prescale.controller.demand.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * An HTTP server that does what a real Prometheus cannot be made to do. It gives each request the
 * next of its answers, and the last one to all further requests.
 */
public final class ScriptedServer implements AutoCloseable {
  /** One series, one sample. */
  public static final String ONE_SAMPLE =
      matrix("{\"metric\":{\"pod\":\"a\"},\"values\":[[1767225600,\"7.5\"]]}");

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<Answer> answers;
  private final List<String> requests = new CopyOnWriteArrayList<>();

  /** One answer. */
  @FunctionalInterface
  public interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  /** A server on a free port. */
  public ScriptedServer(Answer... answers) throws IOException {
    this.answers = new ArrayDeque<>(List.of(answers));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** An answer with these series in it. */
  public static String matrix(String series) {
    return "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[%s]}}"
        .formatted(series);
  }

  /** What Prometheus answers when all is well. */
  public static Answer json(String body) {
    return status(200, body, "Content-Type", "application/json");
  }

  /** Status, body, and names and values of headers in turn. */
  public static Answer status(int status, String body, String... headers) {
    return exchange -> {
      for (int i = 0; i < headers.length; i += 2) {
        exchange.getResponseHeaders().add(headers[i], headers[i + 1]);
      }
      var bytes = body.getBytes(UTF_8);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    };
  }

  /** The body, and then silence for as long as the client has patience. */
  public static Answer hanging(String body) {
    return exchange -> {
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write(body.getBytes(UTF_8));
      exchange.getResponseBody().flush();
      awaitTheEnd();
    };
  }

  /** Fewer bytes than announced. */
  public static Answer truncated(String body) {
    return exchange -> {
      exchange.sendResponseHeaders(200, body.length() + 100L);
      exchange.getResponseBody().write(body.getBytes(UTF_8));
    };
  }

  /** Where it can be reached. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Method, path and headers of what was asked, in order. */
  public List<String> requests() {
    return requests;
  }

  @Override
  public void close() {
    threads.shutdownNow();
    server.stop(0);
    threads.close();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      requests.add(
          "%s %s %s"
              .formatted(
                  exchange.getRequestMethod(),
                  exchange.getRequestURI().getPath(),
                  exchange.getRequestHeaders().entrySet()));
      next().to(exchange);
    }
  }

  private synchronized Answer next() {
    return answers.size() > 1 ? answers.remove() : answers.element();
  }

  private static void awaitTheEnd() {
    try {
      Thread.sleep(Long.MAX_VALUE);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
