package io.prescale.controller.serving;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsServer;
import io.prescale.controller.demand.prometheus.SelfSigned;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** An adapter on localhost with a certificate of its own, and what it was asked. */
final class ScriptedAdapter implements AutoCloseable {
  static final String DISCOVERY =
      """
      {"kind": "APIResourceList", "apiVersion": "v1",
       "groupVersion": "external.metrics.k8s.io/v1beta1", "resources": [{"name": "queue"}]}
      """;

  final List<Map<String, List<String>>> headers = new CopyOnWriteArrayList<>();
  final List<String> targets = new CopyOnWriteArrayList<>();
  volatile int status = 200;
  volatile @Nullable String location;
  volatile byte[] body = DISCOVERY.getBytes(StandardCharsets.UTF_8);

  /** Before the headers of an answer are sent. */
  volatile Semaphore beforeTheStart = new Semaphore(Integer.MAX_VALUE);

  /** Before the last byte of an answer is sent. */
  volatile Semaphore beforeTheEnd = new Semaphore(Integer.MAX_VALUE);

  private final HttpsServer server;
  private final String caBundle;

  private ScriptedAdapter(HttpsServer server, String caBundle) {
    this.server = server;
    this.caBundle = caBundle;
  }

  static ScriptedAdapter start(Path folder, String name)
      throws IOException, GeneralSecurityException, InterruptedException {
    var certificate = SelfSigned.create(folder, name, "dns:localhost", "EC");
    var server = certificate.server();
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    var adapter = new ScriptedAdapter(server, certificate.caBundle());
    server.createContext("/", adapter::answer);
    server.start();
    return adapter;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      headers.add(Map.copyOf(exchange.getRequestHeaders()));
      targets.add(exchange.getRequestURI().toString());
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.getResponseHeaders().add("Audit-Id", "theirs");
      Optional.ofNullable(location)
          .ifPresent(it -> exchange.getResponseHeaders().add("Location", it));
      beforeTheStart.acquireUninterruptibly();
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body, 0, body.length - 1);
      exchange.getResponseBody().flush();
      beforeTheEnd.acquireUninterruptibly();
      exchange.getResponseBody().write(body, body.length - 1, 1);
    }
  }

  /** As the APIService names it. */
  FormerOwner owner(String name) {
    return owner(name, caBundle, null);
  }

  FormerOwner owner(String name, @Nullable String authorities, @Nullable Boolean insecure) {
    return new FormerOwner(
        "monitoring", name, server.getAddress().getPort(), authorities, insecure, 100, 100, null);
  }

  String caBundle() {
    return caBundle;
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
