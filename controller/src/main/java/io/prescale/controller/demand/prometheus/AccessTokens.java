package io.prescale.controller.demand.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.demand.prometheus.Outcome.Failed;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The access token of one client: fetched when it is needed, and kept until shortly before it
 * expires. Never follows redirects, which could leak the secret. Thread-safe; one request at a
 * time.
 */
final class AccessTokens {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** From the request to the head of the answer. */
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private static final int LARGEST = 64 << 10;

  /** Where the token server does not say how long a token lives. */
  private static final long USUAL_LIFE = 300;

  private static final long LONGEST_LIFE = 86_400;

  /** Many who ask for the same client do not each ask a server that has refused it. */
  static final Duration DENIAL_STANDS = Duration.ofSeconds(10);

  /** A token is used no longer than this before it expires, or a fifth of its life. */
  private static final long MARGIN = 60;

  private final ClientCredentials client;
  private final Optional<AllowedServers> allowed;
  private final HttpClient http;
  private final Duration denialStands;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Token known;
  private volatile @Nullable NoToken denied;

  /** The value of the header {@code Authorization}. */
  record Token(String authorization) {
    @Override
    public String toString() {
      return "Token[…]";
    }
  }

  /** No token was given. */
  static final class NoToken extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Failed failed;

    NoToken(Failed failed) {
      super(failed.problem());
      this.failed = failed;
    }

    Failed failed() {
      return failed;
    }
  }

  /**
   * No token yet.
   *
   * @param allowed which servers may be asked, if a user names the token server
   * @param denialStands for how long the server that has refused the client is not asked again
   */
  AccessTokens(
      ClientCredentials client,
      Optional<AllowedServers> allowed,
      HttpClient http,
      Duration denialStands) {
    this.client = client;
    this.allowed = allowed;
    this.http = http;
    this.denialStands = denialStands;
  }

  /** The token that is known, or a new one; a denial stands for a while. */
  Token token() throws NoToken, InterruptedException {
    lock.lockInterruptibly();
    try {
      var standing = denied;
      if (standing != null) {
        throw standing;
      }
      var token = known;
      return token == null ? fetch() : token;
    } finally {
      lock.unlock();
    }
  }

  /** Has the next token fetched, since a server has refused this one. */
  @SuppressWarnings("ReferenceEquality") // another that was fetched since may be used
  void refused(Token token) {
    if (known == token) {
      known = null;
    }
  }

  private Token fetch() throws NoToken, InterruptedException {
    try {
      if (allowed.isPresent() && !allowed.get().allowAddressesOf(client.tokenUrl())) {
        throw denied(
            "resolves to an address that may not be asked; an administrator can allow an address"
                + " itself with --allow-prometheus");
      }
      var response = http.send(request(), BodyHandlers.ofInputStream());
      try (var body = response.body()) {
        return keep(read(response, body));
      }
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  private HttpRequest request() {
    var form = new StringBuilder("grant_type=client_credentials");
    client.scope().ifPresent(it -> form.append("&scope=").append(encoded(it)));
    client.audience().ifPresent(it -> form.append("&audience=").append(encoded(it)));
    var pair = encoded(client.clientId()) + ':' + encoded(client.clientSecret());
    return HttpRequest.newBuilder(client.tokenUrl())
        .timeout(LONGEST)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .header("Accept", "application/json")
        .header("User-Agent", "prescale")
        .header(
            "Authorization", "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8)))
        .POST(BodyPublishers.ofString(form.toString()))
        .build();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  private JsonNode read(HttpResponse<?> response, InputStream body) throws NoToken, IOException {
    int status = response.statusCode();
    var answer = json(new String(body.readNBytes(LARGEST), UTF_8));
    if (status == 200) {
      return answer;
    }
    if (status == 429 || status >= 500) {
      throw later("reports an error (%d)".formatted(status));
    }
    throw status == 400 || status == 401 || status == 403
        ? denied(refusal(status, answer.path("error").asText("")))
        : denied("is no token server (%d); check oauth2.tokenUrl".formatted(status));
  }

  /** By the words of RFC 6749, section 5.2; no other text of the server is repeated. */
  private static String refusal(int status, String error) {
    return switch (error) {
      case "invalid_client", "unauthorized_client" ->
          "refuses the client (%s); check oauth2.clientId and oauth2.clientSecret".formatted(error);
      case "invalid_scope", "invalid_target" ->
          "refuses the scope (%s); check oauth2.scope and oauth2.audience".formatted(error);
      case "unsupported_grant_type" ->
          "gives no token for client credentials (%s); check oauth2.tokenUrl".formatted(error);
      default ->
          "refuses a token (%d); check oauth2.clientId, oauth2.clientSecret and oauth2.scope"
              .formatted(status);
    };
  }

  private static JsonNode json(String body) {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException _) {
      return JSON.missingNode();
    }
  }

  /** Forgets the token by a timer; a token that ended earlier is refused, and then replaced. */
  private Token keep(JsonNode answer) throws NoToken {
    var text = answer.path("access_token").asText("");
    if (!"bearer".equalsIgnoreCase(answer.path("token_type").asText("bearer"))) {
      throw denied("gives tokens that are no bearer tokens");
    }
    Token token;
    try {
      token = new Token(new Credentials.Bearer(text).authorization().orElseThrow());
    } catch (IllegalArgumentException _) {
      throw denied("gives no token; check oauth2.tokenUrl");
    }
    long life = Math.clamp(answer.path("expires_in").asLong(USUAL_LIFE), 0, LONGEST_LIFE);
    long use = life - Math.min(MARGIN, life / 5);
    if (use > 0) {
      known = token;
      CompletableFuture.delayedExecutor(use, TimeUnit.SECONDS).execute(() -> refused(token));
    }
    return token;
  }

  private NoToken unreachable(IOException e) {
    var text = String.valueOf(e.getMessage());
    return text.contains("unable to find valid certification path")
        ? denied("presents a certificate of an untrusted CA; write oauth2.ca")
        : later("cannot be reached (%s); check oauth2.tokenUrl".formatted(kind(e)));
  }

  private static String kind(IOException e) {
    return e.getClass().getSimpleName().replace("Exception", "");
  }

  private NoToken denied(String problem) {
    return failed(Problem.ACCESS_DENIED, problem, false);
  }

  private NoToken later(String problem) {
    return failed(Problem.UNREACHABLE, problem, true);
  }

  private NoToken failed(Problem kind, String problem, boolean mayWorkLater) {
    var failure =
        new NoToken(
            new Failed(
                kind,
                "needs a token, and %s %s".formatted(client.tokenUrl(), problem),
                mayWorkLater,
                Duration.ZERO,
                Optional.empty()));
    if (!mayWorkLater) {
      denied = failure;
      CompletableFuture.delayedExecutor(denialStands.toMillis(), TimeUnit.MILLISECONDS)
          .execute(() -> denied = null);
    }
    return failure;
  }
}
