package io.prescale.controller.demand.prometheus;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessTokensTest {
  @Test
  void afterADenialTheTokenServerIsAskedAgain(@TempDir Path folder) throws Exception {
    try (var server = TokenServer.start(TokenServer.certificate(folder));
        var http =
            HttpClient.newBuilder().sslContext(TlsContext.of(server.client().tls())).build()) {
      server.answers(401, "{\"error\":\"invalid_client\"}");
      var tokens = new AccessTokens(server.client(), Optional.empty(), http, Duration.ofMillis(10));
      assertThatThrownBy(tokens::token).hasMessageContaining("refuses the client");

      server.answers(200, "{\"access_token\":\"fresh\"}");

      await()
          .ignoreExceptionsInstanceOf(AccessTokens.NoToken.class)
          .until(() -> tokens.token().authorization(), "Bearer fresh"::equals);
    }
  }
}
