package io.prescale.controller.demand.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A token server that speaks TLS with a certificate of its own, and gives {@code token-1}, {@code
 * token-2} and so on, or whatever a test has it answer.
 */
public final class TokenServer implements AutoCloseable {
  private final HttpsServer server;
  private final SelfSigned certificate;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile String answer = "";
  private volatile int status = 200;

  public static TokenServer start(Path folder)
      throws IOException, InterruptedException, GeneralSecurityException {
    return new TokenServer(certificate(folder));
  }

  /** The same with a certificate that was made before. */
  static TokenServer start(SelfSigned certificate) throws IOException, GeneralSecurityException {
    return new TokenServer(certificate);
  }

  static SelfSigned certificate(Path folder)
      throws IOException, InterruptedException, GeneralSecurityException {
    return SelfSigned.create(folder, "token-server", "ip:127.0.0.1,dns:localhost", "EC");
  }

  private TokenServer(SelfSigned certificate) throws IOException, GeneralSecurityException {
    this.certificate = certificate;
    server = certificate.server();
    server.createContext("/", this::handle);
    server.start();
    givesTokensFor(3600);
  }

  /** Has it give tokens that live so many seconds. */
  void givesTokensFor(long seconds) {
    answers(
        200,
        "{\"token_type\":\"Bearer\",\"expires_in\":%d,\"access_token\":\"token-N\"}"
            .formatted(seconds));
  }

  /** Has it give this answer, in which {@code N} is the number of the request. */
  void answers(int withStatus, String body) {
    status = withStatus;
    answer = body;
  }

  public URI url() {
    return URI.create("https://127.0.0.1:%d/oauth2/token".formatted(server.getAddress().getPort()));
  }

  /** The port, for another of its names. */
  int port() {
    return server.getAddress().getPort();
  }

  /** Method, Authorization and body of each request. */
  public List<String> requests() {
    return requests;
  }

  /** The CA certificate to trust. */
  public Path ca() {
    return certificate.certificate();
  }

  TlsOptions trusted() {
    return new TlsOptions(Optional.of(new PemSource.InFile(ca())), false, Optional.empty());
  }

  /** The client {@code reader}, with an awkward secret. */
  ClientCredentials client() {
    return client(url(), trusted());
  }

  static ClientCredentials client(URI url, TlsOptions tls) {
    return new ClientCredentials(
        url, "reader", "s3cret:+%", Optional.of("a/.default b"), Optional.of("metrics"), tls);
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      var authorization = exchange.getRequestHeaders().getFirst("Authorization");
      requests.add("%s %s %s".formatted(exchange.getRequestMethod(), authorization, body));
      var bytes = answer.replace("N", Integer.toString(requests.size())).getBytes(UTF_8);
      exchange.getResponseHeaders().add("Location", "https://127.0.0.1:1/");
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }
}
