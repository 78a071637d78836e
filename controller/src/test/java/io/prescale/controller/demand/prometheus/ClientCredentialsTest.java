package io.prescale.controller.demand.prometheus;

import static io.prescale.controller.demand.prometheus.ScriptedServer.ONE_SAMPLE;
import static io.prescale.controller.demand.prometheus.ScriptedServer.json;
import static io.prescale.controller.demand.prometheus.ScriptedServer.status;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.prescale.controller.demand.prometheus.ScriptedServer.Answer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** OAuth 2.0's client credentials, against a token server that speaks TLS. */
class ClientCredentialsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final RangeQuery QUERY =
      new RangeQuery("sum(load)", START, START, Duration.ofMinutes(1));

  private static final Answer SAMPLE = json(ONE_SAMPLE);
  private static final Answer UNAUTHORIZED = status(401, "expired");

  @SuppressWarnings("NullAway.Init")
  private TokenServer tokens;

  @SuppressWarnings("NullAway.Init")
  private static SelfSigned certificate;

  @BeforeAll
  static void certify(@TempDir Path folder) throws Exception {
    certificate = TokenServer.certificate(folder);
  }

  @BeforeEach
  void start() throws Exception {
    tokens = TokenServer.start(certificate);
  }

  @AfterEach
  void stop() {
    tokens.close();
  }

  @Test
  void aTokenIsFetchedOnceAndSentWithEveryQuery() throws Exception {
    try (var prometheus = new ScriptedServer(SAMPLE);
        var client = client(prometheus, tokens.client())) {
      client.range(QUERY);
      client.range(QUERY);

      assertThat(prometheus.requests())
          .hasSize(2)
          .allMatch(it -> it.contains("Authorization=[Bearer token-1]"));
    }
    var pair = "reader:s3cret%3A%2B%25".getBytes(UTF_8);
    assertThat(tokens.requests())
        .containsExactly(
            "POST Basic %s grant_type=client_credentials&scope=a%%2F.default+b&audience=metrics"
                .formatted(Base64.getEncoder().encodeToString(pair)));
  }

  @Test
  void clientsThatShareConnectionsShareTheToken() throws Exception {
    var shared = new HttpClients();
    try (var prometheus = new ScriptedServer(SAMPLE);
        var one = client(prometheus, shared);
        var other = client(prometheus, shared)) {
      one.range(QUERY);
      other.range(QUERY);

      assertThat(tokens.requests()).hasSize(1);
    }
    assertThat(shared.size()).as("all are closed").isZero();
  }

  @Test
  void aTokenIsFetchedAnewBeforeItExpires() throws Exception {
    tokens.givesTokensFor(1);
    try (var prometheus = new ScriptedServer(SAMPLE);
        var client = client(prometheus, tokens.client())) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                client.range(QUERY);
                return tokens.requests().size();
              },
              fetched -> fetched >= 2);

      assertThat(prometheus.requests().getLast()).contains("Bearer token-");
    }
  }

  @Test
  void aTokenThatIsRefusedIsReplacedOnce() throws Exception {
    try (var prometheus = new ScriptedServer(SAMPLE, UNAUTHORIZED, SAMPLE, UNAUTHORIZED);
        var client = client(prometheus, tokens.client())) {
      client.range(QUERY);
      assertThat(client.range(QUERY).samples()).hasSize(1);
      assertThat(prometheus.requests().getLast()).contains("Authorization=[Bearer token-2]");

      assertThatThrownBy(() -> client.range(QUERY))
          .hasMessageContaining("denies access with these credentials (401)");
      assertThat(prometheus.requests()).hasSize(5);
      assertThat(tokens.requests()).hasSize(3);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          401 | {"error":"invalid_client","error_description":"LEAK"} | refuses the client (invalid_client); check oauth2.clientId and oauth2.clientSecret
          400 | {"error":"unauthorized_client"} | refuses the client (unauthorized_client); check oauth2.clientId
          400 | {"error":"invalid_scope"} | refuses the scope (invalid_scope); check oauth2.scope
          400 | {"error":"unsupported_grant_type"} | gives no token for client credentials (unsupported_grant_type); check oauth2.tokenUrl
          400 | {"error":"LEAK"} | refuses a token (400); check oauth2.clientId, oauth2.clientSecret and oauth2.scope
          403 | LEAK | refuses a token (403)
          404 | LEAK | is no token server (404); check oauth2.tokenUrl
          302 | LEAK | is no token server (302); check oauth2.tokenUrl
          200 | <html>LEAK</html> | gives no token; check oauth2.tokenUrl
          200 | {"access_token":"LEAK me"} | gives no token
          200 | {"access_token":"LEAK\\r\\nX-Evil: 1"} | gives no token
          200 | {"access_token":"x","token_type":"mac"} | gives tokens that are no bearer tokens
          200 | [] | gives no token
          """)
  void aRefusalNamesTheFieldAndRepeatsNothing(int status, String body, String problem)
      throws Exception {
    tokens.answers(status, body);
    try (var prometheus = new ScriptedServer(SAMPLE);
        var client = client(prometheus, tokens.client())) {
      var refused = refused(client);

      assertThat(refused.problem()).isEqualTo(Problem.ACCESS_DENIED);
      assertThat(refused.getMessage())
          .startsWith(prometheus.url() + " needs a token, and " + tokens.url() + " " + problem)
          .doesNotContain("LEAK", "s3cret");
      assertThat(prometheus.requests()).isEmpty();
      assertThat(tokens.requests()).hasSize(1);
    }
  }

  @Test
  void aDenialStandsForAWhileForAllWhoShareTheClient() throws Exception {
    tokens.answers(401, "{\"error\":\"invalid_client\"}");
    try (var prometheus = new ScriptedServer(SAMPLE);
        var client = client(prometheus, tokens.client())) {
      for (int i = 0; i < 5; i++) {
        assertThatThrownBy(() -> client.range(QUERY))
            .isInstanceOf(PrometheusException.class)
            .hasMessageContaining("refuses the client (invalid_client)");
      }
      assertThat(prometheus.requests()).isEmpty();
    }
    assertThat(tokens.requests()).hasSize(1);
  }

  @Test
  void aHugeAnswerIsNoToken() throws Exception {
    tokens.answers(200, "{\"access_token\":\"" + "x".repeat(1 << 20) + "\"}");
    try (var prometheus = new ScriptedServer(SAMPLE);
        var client = client(prometheus, tokens.client())) {
      assertThat(refused(client).getMessage()).contains("gives no token");
    }
  }

  @Test
  void anErrorOfTheTokenServerIsRetried() throws Exception {
    tokens.answers(503, "busy");
    try (var prometheus = new ScriptedServer(SAMPLE);
        var client = client(prometheus, tokens.client())) {
      assertThat(refused(client).getMessage())
          .startsWith("After 4 attempts: ")
          .endsWith("reports an error (503).");
      assertThat(tokens.requests()).hasSize(4);
    }
  }

  @Test
  void aCertificateOfAnUnknownAuthorityNamesTheRemedy() throws Exception {
    try (var prometheus = new ScriptedServer(SAMPLE);
        var client = client(prometheus, TokenServer.client(tokens.url(), TlsOptions.system()))) {
      assertThat(refused(client).getMessage())
          .endsWith("presents a certificate of an untrusted CA; write oauth2.ca.");
    }
  }

  @Test
  void aCaThatHoldsNoCertificateLeavesNothingOpen(@TempDir Path folder) throws Exception {
    var garbage = new PemSource.InFile(Files.writeString(folder.resolve("ca.crt"), "garbage"));
    var broken = new TlsOptions(Optional.of(garbage), false, Optional.empty());
    var shared = new HttpClients();
    try (var prometheus = new ScriptedServer(SAMPLE)) {
      for (var server :
          List.of(
              server(prometheus, TokenServer.client(tokens.url(), broken)),
              new PrometheusServer(prometheus.url(), tokens.client(), List.of(), broken))) {
        assertThatThrownBy(
                () ->
                    new PrometheusClient(
                        server, Patience.defaults(), AnswerLimits.ofOneSeries(), shared))
            .hasMessageContaining("holds no certificate in PEM");
      }
    }
    assertThat(shared.size()).isZero();
  }

  @Test
  void anAddressThatMayNotBeAskedIsNotAskedForATokenEither() throws Exception {
    try (var prometheus = new ScriptedServer(SAMPLE)) {
      var allowed = AllowedServers.of(List.of("*", "127.0.0.1:" + prometheus.url().getPort()));
      var named = URI.create("https://localhost:%d/token".formatted(tokens.port()));
      var server =
          new PrometheusServer(
              prometheus.url(),
              TokenServer.client(named, tokens.trusted()),
              List.of(),
              TlsOptions.system(),
              Optional.of(allowed));
      try (var client = new PrometheusClient(server, Patience.defaults(), _ -> {})) {
        assertThat(refused(client).getMessage()).contains("resolves to an address that may not");
      }
      assertThat(tokens.requests()).isEmpty();
    }
  }

  @Test
  void whatIsNoClientIsRefusedAndTheSecretIsNotShown() {
    assertThatThrownBy(
            () -> TokenServer.client(URI.create("http://login.example/token"), tokens.trusted()))
        .hasMessageContaining("is not https");
    assertThatThrownBy(
            () ->
                new ClientCredentials(
                    tokens.url(),
                    "reader",
                    " ",
                    Optional.empty(),
                    Optional.empty(),
                    TlsOptions.system()))
        .hasMessageContaining("secret is empty");
    assertThatThrownBy(
            () ->
                new ClientCredentials(
                    tokens.url(),
                    "reader",
                    "s",
                    Optional.of("a\"b"),
                    Optional.empty(),
                    TlsOptions.system()))
        .hasMessageContaining("scope");
    assertThat(tokens.client().toString()).contains("reader").doesNotContain("s3cret");
  }

  private static PrometheusException refused(PrometheusClient client) {
    return catchThrowableOfType(PrometheusException.class, () -> client.range(QUERY));
  }

  private static PrometheusClient client(ScriptedServer prometheus, ClientCredentials credentials)
      throws PrometheusException {
    return new PrometheusClient(server(prometheus, credentials), Patience.defaults(), _ -> {});
  }

  private PrometheusClient client(ScriptedServer prometheus, HttpClients shared)
      throws PrometheusException {
    return new PrometheusClient(
        server(prometheus, tokens.client()),
        Patience.defaults(),
        AnswerLimits.ofOneSeries(),
        shared);
  }

  private static PrometheusServer server(ScriptedServer prometheus, ClientCredentials client) {
    return new PrometheusServer(prometheus.url(), client, List.of(), TlsOptions.system());
  }
}
