package io.prescale.controller.demand.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrometheusServerTest {

  @ParameterizedTest
  @CsvSource({
    "http://localhost:9090, http://localhost:9090/api/v1/query_range",
    "http://localhost:9090/, http://localhost:9090/api/v1/query_range",
    "HTTPS://mimir/prometheus, HTTPS://mimir/prometheus/api/v1/query_range",
    "http://[::1]:9090/a%20b/, http://[::1]:9090/a%20b/api/v1/query_range"
  })
  void findsTheApiBelowTheUrl(URI url, String endpoint) {
    assertThat(PrometheusServer.at(url).endpoint("/api/v1/query_range")).hasToString(endpoint);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost:9090", "ftp://localhost", "prometheus", "http:/x", "http://_/"})
  void refusesWhatIsNoUrlOfAServer(String url) {
    assertThatThrownBy(() -> PrometheusServer.at(URI.create(url)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "The URL "
                + url
                + " is not the URL of a server; write one such as http://localhost:9090.");
  }

  @Test
  void refusesAPasswordInTheUrlWithoutRepeatingIt() {
    assertThatThrownBy(() -> PrometheusServer.at(URI.create("http://alice:s3cret@localhost:9090")))
        .hasMessage(
            "The URL http://…@localhost:9090 contains a user or password, where others can see"
                + " them; give them separately.");
  }

  @Test
  void refusesAQueryInTheUrl() {
    assertThatThrownBy(() -> PrometheusServer.at(URI.create("http://localhost/graph?g0.expr=up")))
        .hasMessageContaining("has a query or a fragment");
  }

  @Test
  void keepsSecretsOutOfText() {
    var bearer = new Credentials.Bearer("abc.def");
    var basic = new Credentials.Basic("alice", "s3cret");
    var header = new Header("X-Api-Key", "k3y");

    assertThat(bearer + " " + basic + " " + header)
        .contains("alice", "X-Api-Key")
        .doesNotContain("abc.def", "s3cret", "k3y");
  }

  @Test
  void encodesNameAndPasswordAsUtf8() {
    assertThat(new Credentials.Basic("alice", "pä:ss").authorization())
        .contains("Basic YWxpY2U6cMOkOnNz");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "two words", "line\nbreak", "ünicode"})
  void refusesATokenThatIsNone(String token) {
    assertThatThrownBy(() -> new Credentials.Bearer(token))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The bearer token is empty, or contains a space or another invalid character.");
  }

  @Test
  void refusesHeadersThatWouldBreakTheRequest() {
    assertThatThrownBy(() -> new Header("X Y", "1")).hasMessageContaining("X Y");
    assertThatThrownBy(() -> new Header("Host", "elsewhere"))
        .hasMessage("The header Host is set by the client itself; remove it.");
    assertThatThrownBy(() -> new Header("X-Y", "secret\r\nX-Z: 1"))
        .hasMessage("The value of the header X-Y contains a character that HTTP does not allow.");
  }

  @Test
  void refusesToTrustACaAndEveryone() {
    var ca = Optional.<PemSource>of(new PemSource.InFile(Path.of("ca.pem")));

    assertThatThrownBy(() -> new TlsOptions(ca, true, Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
