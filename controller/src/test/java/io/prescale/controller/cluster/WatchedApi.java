package io.prescale.controller.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/**
 * An API server that serves a few kinds, has no objects, and keeps watches open, over plain HTTP,
 * until it refuses them.
 */
public final class WatchedApi implements AutoCloseable {
  private final String resources;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;
  private final Map<String, Integer> refused = new ConcurrentHashMap<>();
  private final List<Watched> watches = new CopyOnWriteArrayList<>();

  private record Watched(String plural, HttpExchange exchange) {}

  /**
   * Serves from now on.
   *
   * @param plurals of the kinds that each of its groups has
   */
  public WatchedApi(String... plurals) throws IOException {
    resources =
        List.of(plurals).stream()
            .map("{\"name\": \"%s\"}"::formatted)
            .collect(Collectors.joining(", ", "{\"resources\": [", "]}"));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /** How it is reached. */
  public Config config() {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
        .withRequestRetryBackoffLimit(0)
        .build();
  }

  /** From now on it refuses to list and watch a kind, and watches of it are over. */
  public void refuse(String plural, int code) {
    refused.put(plural, code);
    watches.stream().filter(it -> it.plural().equals(plural)).forEach(it -> it.exchange().close());
    watches.removeIf(it -> it.plural().equals(plural));
  }

  /** It refuses nothing any more. */
  public void allowAll() {
    refused.clear();
  }

  private void answer(HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath();
    var query = String.valueOf(exchange.getRequestURI().getQuery());
    var plural = path.substring(path.lastIndexOf('/') + 1);
    if (path.matches("/apis/[^/]+")) {
      send(exchange, 200, "{\"kind\": \"APIGroup\", \"name\": \"%s\"}".formatted(plural));
    } else if (path.matches("/apis/[^/]+/[^/]+")) {
      send(exchange, 200, resources);
    } else if (refused.containsKey(plural)) {
      int code = refused.getOrDefault(plural, 0);
      send(
          exchange,
          code,
          "{\"kind\": \"Status\", \"code\": %d, \"message\": \"no\"}".formatted(code));
    } else if (!query.contains("watch=true")) {
      send(exchange, 200, "{\"metadata\": {\"resourceVersion\": \"1\"}, \"items\": []}");
    } else if ("websocket".equals(exchange.getRequestHeaders().getFirst("Upgrade"))) {
      send(exchange, 200, ""); // it has no web sockets
    } else {
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write(' '); // for the client library it is open then
      exchange.getResponseBody().flush();
      watches.add(new Watched(plural, exchange));
    }
  }

  private static void send(HttpExchange exchange, int code, String text) throws IOException {
    var body = text.getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
