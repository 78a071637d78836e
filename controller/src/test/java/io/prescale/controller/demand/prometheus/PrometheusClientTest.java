package io.prescale.controller.demand.prometheus;

import static io.prescale.controller.demand.prometheus.ScriptedServer.ONE_SAMPLE;
import static io.prescale.controller.demand.prometheus.ScriptedServer.hanging;
import static io.prescale.controller.demand.prometheus.ScriptedServer.json;
import static io.prescale.controller.demand.prometheus.ScriptedServer.status;
import static io.prescale.controller.demand.prometheus.ScriptedServer.truncated;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.prescale.controller.demand.prometheus.ScriptedServer.Answer;
import io.prescale.controller.input.InputException.Fault;
import io.prescale.forecasting.Sample;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a real server cannot be made to do; the rest is in {@link RealPrometheusTest}. */
class PrometheusClientTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final RangeQuery QUERY =
      new RangeQuery("load", START, START, Duration.ofMinutes(1));
  private static final Patience PATIENCE = Patience.defaults().withAnswer(Duration.ofSeconds(20));

  private final List<Duration> pauses = new ArrayList<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (var resource : open) {
      resource.close();
    }
  }

  @Test
  void triesAgainAfterThePauseThatABusyServerAsksFor() throws Exception {
    var server =
        server(
            status(429, "slow down", "Retry-After", "7"),
            status(503, "", "Retry-After", "Wed, 21 Oct 2026 07:28:00 GMT"),
            status(500, "", "Retry-After", "86400"),
            json(ONE_SAMPLE));

    assertThat(range(server).samples()).containsExactly(new Sample(START, 7.5));
    assertThat(pauses)
        .containsExactly(Duration.ofSeconds(7), Duration.ofSeconds(1), Duration.ofSeconds(30));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          429 | slow down                                          | limits the rate of requests (429): "slow down".
          500 | {"status":"error","error":"storage on fire"}       | reports an error (500): storage on fire.
          502 | <html><head><title>502 Bad Gateway</title></head>  | reports an error (502): "502 Bad Gateway".
          503 | ''                                                 | reports an error (503).
          """)
  void givesUpOnAServerThatStaysBusy(int status, String body, String message) throws Exception {
    var server = server(status(status, body));

    assertThatUnreachable(server, "After 4 attempts: " + server.url() + " " + message);
    assertThat(server.requests()).hasSize(4);
    assertThat(pauses)
        .containsExactly(Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(2));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          401 | ''                                      | denies access with these credentials (401).
          403 | {"error":"no access to tenant"}         | denies access with these credentials (403): no access to tenant.
          404 | 404 page not found                      | has no Prometheus API; is a part of the path missing, such as /prometheus?
          400 | <title>Bad Request</title>              | reports an error (400): "Bad Request".
          204 | ''                                      | reports an error (204).
          """)
  void doesNotInsistWhereItIsOfNoUse(int status, String body, String message) throws Exception {
    var server = server(status(status, body));

    assertThatUnreachable(server, server.url() + " " + message);
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void doesNotFollowARedirectWithTheCredentials() throws Exception {
    var server = server(status(302, "", "Location", "https://sso.example.org/login?x"));

    assertThatUnreachable(
        server,
        server.url()
            + " redirects to \"https://sso.example.org/login?x\"; give the final URL instead.");
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void recognizesALoginPage() throws Exception {
    var server = server(status(200, "\n<!doctype html><TITLE>Sign in</TITLE><body>"));

    assertThatUnreachable(
        server,
        server.url()
            + " responds with a web page titled \"Sign in\" instead of data: it is not Prometheus,"
            + " or requires a login; check the URL and the credentials.");
  }

  @Test
  void triesAgainAfterATruncatedAnswer() throws Exception {
    var half = ONE_SAMPLE.substring(0, ONE_SAMPLE.length() / 2);
    var server = server(truncated(half), json(half), json(ONE_SAMPLE));

    assertThat(range(server).samples()).containsExactly(new Sample(START, 7.5));
    assertThat(server.requests()).hasSize(3);
  }

  @Test
  void givesUpOnAnswersThatAreAlwaysTruncated() throws Exception {
    var server = server(truncated("{\"status\":\"succ"));

    assertThat(catchThrowableOfType(PrometheusException.class, () -> range(server)))
        .hasMessage(
            "After 4 attempts: %s closed the connection without a complete answer; is Prometheus running there?"
                .formatted(server.url()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{\"status\":\"success\",\"data\":{\"result"})
  void doesNotWaitForEver(String beginning) throws Exception {
    var server = server(hanging(beginning));
    var patience =
        new Patience(
            Duration.ofSeconds(5), Duration.ofMillis(300), 2, Duration.ZERO, Duration.ZERO);

    assertThat(catchThrowableOfType(PrometheusException.class, () -> range(server.url(), patience)))
        .hasMessage("After 2 attempts: " + server.url() + " did not answer within 300 ms.");
  }

  @Test
  void stopsWhenInterrupted() throws Exception {
    var server = server(hanging(""));
    var reading = new FutureTask<>(() -> range(server));
    var thread = Thread.ofVirtual().start(reading);
    await().until(() -> !server.requests().isEmpty());
    thread.interrupt();

    assertThatThrownBy(reading::get).hasCauseInstanceOf(InterruptedException.class);
    assertThat(server.requests()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          [1767225600,"7.5"], | sent a response that has more samples than the 1 asked for.
          spaces              | sent a response of more than 64 MiB, as for many series; sum() reduces them to one.
          """)
  void refusesAnAnswerWithoutEnd(String again, String problem) throws Exception {
    var chunk = again.replace("spaces", " ").repeat(50_000);
    var endless = ONE_SAMPLE.substring(0, ONE_SAMPLE.indexOf("[[") + 1);
    var server =
        server(
            exchange -> {
              exchange.sendResponseHeaders(200, 0);
              var body = exchange.getResponseBody();
              body.write(endless.getBytes(UTF_8));
              for (int i = 0; i < 10_000; i++) {
                body.write(chunk.getBytes(UTF_8));
              }
            });

    assertThatUnusable(server, problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          The answer is 42                             | is not JSON, but "The answer is 42".
          {"status":"error","error":"query timed out"} | is an error: query timed out.
          """)
  void saysWhatIsWrongWithTheAnswer(String body, String problem) throws Exception {
    assertThatUnusable(server(json(body)), "sent a response that " + problem);
  }

  @Test
  void passesTheWarningsOnOnce() throws Exception {
    var server =
        server(json(ONE_SAMPLE.replace("\"status\"", "\"warnings\":[\"partial\"],\"status\"")));
    var query =
        new RangeQuery(
            "load", START.minusSeconds(60), START.plusSeconds(120), Duration.ofMinutes(1));
    var history =
        new PrometheusHistory(PrometheusServer.at(server.url()), PATIENCE, query, 2, (n, of) -> {});

    assertThat(history.read().notes()).containsExactly("The server warns: partial");
    assertThat(server.requests()).hasSize(2);
  }

  @Test
  void sendsCredentialsTenantAndHeaders() throws Exception {
    var server = server(json(ONE_SAMPLE));
    var wanted =
        new PrometheusServer(
            server.url().resolve("/mimir/"),
            new Credentials.Bearer("abc.def"),
            List.of(Header.tenant("team-a"), new Header("X-Route", "eu")),
            TlsOptions.system());
    try (var client = new PrometheusClient(wanted, PATIENCE, pauses::add)) {
      assertThat(client.range(QUERY).samples()).hasSize(1);
    }

    assertThat(server.requests())
        .singleElement()
        .asString()
        .startsWith("GET /mimir/api/v1/query_range ")
        .contains("Authorization=[Bearer abc.def]", "X-scope-orgid=[team-a]", "X-route=[eu]");
  }

  @Test
  void reportsARefusedConnection() throws Exception {
    URI unused;
    try (var socket = new ServerSocket(0)) {
      unused = URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    assertThat(catchThrowableOfType(PrometheusException.class, () -> range(unused, PATIENCE)))
        .hasMessage(
            "After 4 attempts: " + unused + " refuses connections; is Prometheus running there?");
    assertThat(pauses).hasSize(3);
  }

  @Test
  void saysThatTheHostIsUnknown() {
    var unknown = URI.create("http://no-such-host.invalid:9090");
    var refusal = catchThrowableOfType(PrometheusException.class, () -> range(unknown, PATIENCE));

    assertThat(refusal)
        .hasMessage(unknown + " cannot be resolved: there is no address for no-such-host.invalid.");
    assertThat(refusal.fault()).isEqualTo(Fault.UNREACHABLE);
    assertThat(pauses).isEmpty();
  }

  private void assertThatUnusable(ScriptedServer server, String problem) {
    var refusal = catchThrowableOfType(PrometheusException.class, () -> range(server));

    assertThat(refusal).hasMessage(server.url() + " " + problem);
    assertThat(refusal.fault()).isEqualTo(Fault.UNUSABLE);
    assertThat(server.requests()).hasSize(1);
  }

  private void assertThatUnreachable(ScriptedServer server, String message) {
    var refusal = catchThrowableOfType(PrometheusException.class, () -> range(server));

    assertThat(refusal).hasMessage(message);
    assertThat(refusal.fault()).isEqualTo(Fault.UNREACHABLE);
  }

  private ScriptedServer server(Answer... answers) throws IOException {
    var server = new ScriptedServer(answers);
    open.add(server);
    return server;
  }

  private RangeAnswer range(ScriptedServer server)
      throws PrometheusException, InterruptedException {
    return range(server.url(), PATIENCE);
  }

  private RangeAnswer range(URI url, Patience patience)
      throws PrometheusException, InterruptedException {
    try (var client = new PrometheusClient(PrometheusServer.at(url), patience, pauses::add)) {
      return client.range(QUERY);
    }
  }
}
