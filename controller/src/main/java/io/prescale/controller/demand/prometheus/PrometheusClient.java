package io.prescale.controller.demand.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.prescale.controller.demand.prometheus.AccessTokens.NoToken;
import io.prescale.controller.demand.prometheus.Outcome.Answered;
import io.prescale.controller.demand.prometheus.Outcome.Failed;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.commons.io.input.BoundedInputStream;

/**
 * Sends range queries to one server, one request at a time. Retries transient failures. Never
 * follows redirects, which could leak the credentials to another server.
 */
public final class PrometheusClient implements AutoCloseable {
  private static final int LONGEST_URL = 4000;
  private static final int LONGEST_PREAMBLE = 512;

  /** Waits between attempts. */
  @FunctionalInterface
  interface Pause {
    void of(Duration duration) throws InterruptedException;
  }

  /** The body has more bytes than the limit. */
  private static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1;
  }

  /** The server's name leads to an address that may not be asked. */
  private static final class ForbiddenAddress extends IOException {
    private static final long serialVersionUID = 1;
  }

  private final PrometheusServer server;
  private final Patience patience;
  private final Pause pause;
  private final AnswerLimits limits;
  private final Refusals refusals;
  private final HttpClients clients;
  private final HttpClient http;
  private final Optional<AccessTokens> tokens;

  public PrometheusClient(PrometheusServer server, Patience patience) throws PrometheusException {
    this(server, patience, Thread::sleep);
  }

  /** Creates a client that shares its connections, and refuses responses beyond these limits. */
  public PrometheusClient(
      PrometheusServer server, Patience patience, AnswerLimits limits, HttpClients clients)
      throws PrometheusException {
    this(server, patience, limits, clients, Thread::sleep);
  }

  PrometheusClient(PrometheusServer server, Patience patience, Pause pause)
      throws PrometheusException {
    this(server, patience, AnswerLimits.ofManySeries(), new HttpClients(), pause);
  }

  private PrometheusClient(
      PrometheusServer server,
      Patience patience,
      AnswerLimits limits,
      HttpClients clients,
      Pause pause)
      throws PrometheusException {
    this.limits = limits;
    this.server = server;
    this.patience = patience;
    this.pause = pause;
    this.refusals = new Refusals(server, patience);
    this.clients = clients;
    this.tokens =
        server.credentials() instanceof ClientCredentials client
            ? Optional.of(clients.useTokens(client, server.allowed(), patience.connecting()))
            : Optional.empty();
    try {
      this.http = clients.use(server.tls(), patience.connecting());
    } catch (PrometheusException e) {
      releaseTokens();
      throw e;
    }
  }

  /** Runs one query, which the server must answer in one response. */
  public RangeAnswer range(RangeQuery query) throws PrometheusException, InterruptedException {
    var request = request(query);
    for (int failures = 0; ; ) {
      switch (attempt(request, query)) {
        case Answered answered -> {
          return answered.answer();
        }
        case Failed failed -> {
          if (!failed.mayWorkLater() || ++failures == patience.attempts()) {
            throw refusals.exception(failed, failures);
          }
          pause.of(patience.pause(failures, failed.askedPause()));
        }
      }
    }
  }

  /** Cancels the request in progress, unless the connections are shared. Must be called once. */
  @Override
  public void close() {
    releaseTokens();
    clients.release(server.tls(), patience.connecting());
  }

  private void releaseTokens() {
    if (server.credentials() instanceof ClientCredentials client) {
      clients.releaseTokens(client, server.allowed(), patience.connecting());
    }
  }

  private HttpRequest request(RangeQuery query) {
    var form =
        "query=%s&start=%s&end=%s&step=%s"
            .formatted(
                URLEncoder.encode(query.promql(), UTF_8),
                seconds(query.from()),
                seconds(query.to()),
                seconds(Instant.EPOCH.plus(query.step())));
    var endpoint = server.endpoint("/api/v1/query_range");
    var url = endpoint + "?" + form;
    // Behind a proxy that maps methods to permissions, GET needs fewer rights than POST.
    var request =
        url.length() <= LONGEST_URL
            ? HttpRequest.newBuilder(URI.create(url))
            : HttpRequest.newBuilder(endpoint)
                .POST(BodyPublishers.ofString(form))
                .header("Content-Type", "application/x-www-form-urlencoded");
    request.header("Accept", "application/json").header("User-Agent", "prescale");
    server.credentials().authorization().ifPresent(it -> request.header("Authorization", it));
    server.headers().forEach(header -> request.header(header.name(), header.value()));
    return request.build();
  }

  private static String seconds(Instant time) {
    return BigDecimal.valueOf(time.toEpochMilli(), 3).stripTrailingZeros().toPlainString();
  }

  /** Makes one attempt; an interrupt or the timeout cancels it. */
  private Outcome attempt(HttpRequest request, RangeQuery query) throws InterruptedException {
    var exchange = new FutureTask<>(() -> exchange(request, query));
    Thread.ofVirtual().name("prometheus-request").start(exchange);
    try {
      return exchange.get(patience.answer().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      return refusals.timeout();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a request failed in an unexpected way", e.getCause());
    } finally {
      exchange.cancel(true);
    }
  }

  private Outcome exchange(HttpRequest request, RangeQuery query) throws InterruptedException {
    try {
      var response = send(request);
      try (var body = new BufferedInputStream(limited(response.body()))) {
        return read(response, body, query);
      }
    } catch (NoToken e) {
      return e.failed();
    } catch (ForbiddenAddress _) {
      return refusals.forbiddenAddress();
    } catch (UnknownHostException e) {
      return refusals.unknownHost(e);
    } catch (TooLarge _) {
      return refusals.tooLarge(limits.bytes());
    } catch (IOException e) {
      return refusals.connection(e);
    }
  }

  /** With a token, where one is needed; once more with a new one, if the server refuses it. */
  private HttpResponse<InputStream> send(HttpRequest request)
      throws NoToken, IOException, InterruptedException {
    if (tokens.isEmpty()) {
      return sendAllowed(request);
    }
    var token = tokens.get().token();
    var response = sendAllowed(with(token, request));
    if (response.statusCode() != HttpURLConnection.HTTP_UNAUTHORIZED) {
      return response;
    }
    response.body().close();
    tokens.get().refused(token);
    return sendAllowed(with(tokens.get().token(), request));
  }

  /** Looks at the address last of all, so that little time is left in which it could change. */
  private HttpResponse<InputStream> sendAllowed(HttpRequest request)
      throws IOException, InterruptedException {
    if (!mayConnect()) {
      throw new ForbiddenAddress();
    }
    return http.send(request, BodyHandlers.ofInputStream());
  }

  private static HttpRequest with(AccessTokens.Token token, HttpRequest request) {
    return HttpRequest.newBuilder(request, (_, _) -> true)
        .header("Authorization", token.authorization())
        .build();
  }

  /** Behind an allowed name may be an address that is not. */
  private boolean mayConnect() throws UnknownHostException {
    var allowed = server.allowed();
    return allowed.isEmpty() || allowed.get().allowAddressesOf(server.url());
  }

  private InputStream limited(InputStream body) throws IOException {
    return BoundedInputStream.builder()
        .setInputStream(body)
        .setMaxCount(limits.bytes() + 1)
        .setOnMaxCount(
            (_, _) -> {
              throw new TooLarge();
            })
        .get();
  }

  private Outcome read(
      HttpResponse<InputStream> response, BufferedInputStream body, RangeQuery query)
      throws IOException {
    var preamble = preamble(body);
    if (response.statusCode() != 200) {
      return refusals.status(response, new String(body.readNBytes(1 << 16), UTF_8));
    }
    if (preamble.startsWith("<")) {
      return refusals.webPage(preamble);
    }
    try {
      return new Answered(MatrixReader.read(body, query, limits));
    } catch (NotAMatrix e) {
      return refusals.answer(e);
    } catch (StreamConstraintsException _) {
      return refusals.answer("has a text longer than any label");
    } catch (JsonEOFException e) {
      return refusals.connection(e);
    } catch (JsonProcessingException _) {
      return refusals.notJson(preamble);
    }
  }

  private static String preamble(BufferedInputStream body) throws IOException {
    body.mark(LONGEST_PREAMBLE);
    var preamble = new String(body.readNBytes(LONGEST_PREAMBLE), UTF_8);
    body.reset();
    return preamble.strip();
  }
}
