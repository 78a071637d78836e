package io.prescale.controller.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The page on a port of this machine alone, over plain HTTP. */
public final class WebServer implements AutoCloseable {
  private static final int MOST_BODY = 64 * 1024;

  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("web-", 0).factory());

  private WebServer(HttpServer server) {
    this.server = server;
    server.setExecutor(threads);
  }

  /**
   * Takes a port of the loopback interface; nothing is answered before {@link #serve}.
   *
   * @param port 0 takes a free one
   * @throws IOException if the port is taken
   */
  public static WebServer bind(int port) throws IOException {
    return new WebServer(
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0));
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /** Something besides the page, below a path that the page does not use. */
  public void add(String path, HttpHandler handler) {
    server.createContext(path, handler);
  }

  /** Begins to answer. */
  public void serve(WebViews views, Gatekeeper gatekeeper) {
    var api = new WebApi(views, gatekeeper);
    server.createContext("/", exchange -> answer(exchange, api));
    server.start();
  }

  private static void answer(HttpExchange exchange, WebApi api) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readNBytes(MOST_BODY + 1);
      if (body.length > MOST_BODY) {
        exchange.sendResponseHeaders(413, -1);
        return;
      }
      write(exchange, api.handle(request(exchange, new String(body, StandardCharsets.UTF_8))));
    }
  }

  private static WebRequest request(HttpExchange exchange, String body) {
    var headers = new HashMap<String, String>();
    for (Map.Entry<String, List<String>> header : exchange.getRequestHeaders().entrySet()) {
      headers.put(header.getKey().toLowerCase(Locale.ROOT), header.getValue().getFirst());
    }
    var uri = exchange.getRequestURI();
    return new WebRequest(
        exchange.getRequestMethod(),
        Objects.requireNonNullElse(uri.getRawPath(), "/"),
        QueryString.parameters(uri.getRawQuery()),
        headers,
        body);
  }

  private static void write(HttpExchange exchange, WebResponse response) throws IOException {
    response.headers().forEach(exchange.getResponseHeaders()::set);
    byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(response.status(), -1);
      return;
    }
    exchange.sendResponseHeaders(response.status(), body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
