package io.prescale.controller.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * An API server that serves a few kinds, has no objects but Leases, and keeps watches open, over
 * plain HTTP, until it refuses them.
 */
public final class WatchedApi implements AutoCloseable {
  private static final byte[] BOOKMARK =
      """
      {"type": "BOOKMARK", "object": {"apiVersion": "v1", "kind": "Any",
       "metadata": {"resourceVersion": "1"}}}
      """
          .replaceAll("\\n ", "")
          .getBytes(UTF_8);

  private final String resources;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;
  private final Map<String, Refused> refused = new ConcurrentHashMap<>();

  /** What was written last of each Lease, by path. */
  private final Map<String, String> leases = new ConcurrentHashMap<>();

  private final List<Watched> watches = new CopyOnWriteArrayList<>();

  private record Watched(String plural, HttpExchange exchange) {}

  /**
   * How requests are refused.
   *
   * @param codes of the answers, in turn
   */
  private record Refused(
      boolean isListed, List<Integer> codes, AtomicInteger answers, AtomicInteger lists) {
    int next() {
      return codes.get(answers.getAndIncrement() % codes.size());
    }
  }

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

  /** From now on it refuses to list and watch a kind, by these codes in turn. */
  public void refuse(String plural, Integer... codes) {
    refuse(plural, new Refused(false, List.of(codes), new AtomicInteger(), new AtomicInteger()));
  }

  /** From now on it lists a kind, but refuses to watch it. */
  public void refuseToWatch(String plural, int code) {
    refuse(plural, new Refused(true, List.of(code), new AtomicInteger(), new AtomicInteger()));
  }

  /** How often it has refused to list a kind that it refuses. */
  public int refusedLists(String plural) {
    return Objects.requireNonNull(refused.get(plural), plural).lists().get();
  }

  /** How many watches of a kind are open. */
  public long watches(String plural) {
    return watches.stream().filter(it -> it.plural().equals(plural)).count();
  }

  /** Who holds a Lease of the namespace prescale; empty if it was never written or released. */
  public String holder(String lease) {
    var written = leases.get("/apis/coordination.k8s.io/v1/namespaces/prescale/leases/" + lease);
    return written == null
        ? ""
        : Objects.requireNonNullElse(
            Serialization.unmarshal(written, Lease.class).getSpec().getHolderIdentity(), "");
  }

  private void refuse(String plural, Refused how) {
    refused.put(plural, how);
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
    boolean isWatch = query.contains("watch=true");
    var refusal = refusal(plural, isWatch);
    if (path.matches("/apis/[^/]+")) {
      send(exchange, 200, "{\"kind\": \"APIGroup\", \"name\": \"%s\"}".formatted(plural));
    } else if (path.matches("/apis/[^/]+/[^/]+")) {
      send(exchange, 200, resources);
    } else if (path.contains("/leases")) {
      answerForLease(exchange, path);
    } else if (refusal.isPresent()) {
      refusal.get().lists().addAndGet(isWatch ? 0 : 1);
      sendStatus(exchange, refusal.get().next());
    } else if (!isWatch) {
      send(exchange, 200, "{\"metadata\": {\"resourceVersion\": \"1\"}, \"items\": []}");
    } else if ("websocket".equals(exchange.getRequestHeaders().getFirst("Upgrade"))) {
      send(exchange, 200, ""); // it has no web sockets
    } else {
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write(BOOKMARK); // for the client library it is open then
      exchange.getResponseBody().flush();
      watches.add(new Watched(plural, exchange));
    }
  }

  private Optional<Refused> refusal(String plural, boolean isWatch) {
    return Optional.ofNullable(refused.get(plural)).filter(how -> isWatch || !how.isListed());
  }

  private void answerForLease(HttpExchange exchange, String path) throws IOException {
    var written = exchange.getRequestBody().readAllBytes();
    var name = path;
    if (written.length > 0) {
      var lease = Serialization.unmarshal(new String(written, UTF_8), Lease.class);
      name = path.endsWith("/leases") ? path + "/" + lease.getMetadata().getName() : path;
      lease.getMetadata().setResourceVersion("1");
      leases.put(name, Serialization.asJson(lease));
    }
    var known = leases.get(name);
    if (known == null) {
      sendStatus(exchange, 404);
    } else {
      send(exchange, 200, known);
    }
  }

  private static void sendStatus(HttpExchange exchange, int code) throws IOException {
    send(
        exchange,
        code,
        "{\"kind\": \"Status\", \"code\": %d, \"message\": \"no\"}".formatted(code));
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
