package io.prescale.controller.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.certificates.CertificateMaker;
import io.prescale.controller.certificates.Pem;
import io.prescale.controller.serving.TrustDocument.UnusableTrustException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrustDocumentTest {
  private static final CertificateMaker.Authority AUTHORITY =
      new CertificateMaker().authority(Instant.parse("2026-11-21T12:00:00Z"), Duration.ofDays(1));

  @Test
  void readsWhatKubernetesWrites() throws UnusableTrustException {
    var pem = Pem.write(List.of(AUTHORITY.certificate()));

    var trust =
        TrustDocument.read(
            Map.of(
                "client-ca-file", pem + "\n# a comment\n" + pem,
                "requestheader-client-ca-file", pem,
                "requestheader-allowed-names", "[\"front-proxy-client\"]",
                "requestheader-username-headers", "[\"X-Remote-User\"]",
                "requestheader-group-headers", "[\"X-Remote-Group\",\"X-Other\"]",
                "requestheader-extra-headers-prefix", "[\"X-Remote-Extra-\"]"));

    assertThat(trust.clientAuthorities())
        .containsExactly(AUTHORITY.certificate(), AUTHORITY.certificate());
    assertThat(trust.proxyAuthorities()).containsExactly(AUTHORITY.certificate());
    assertThat(trust.proxyNames()).containsExactly("front-proxy-client");
    assertThat(trust.groupHeaders()).containsExactly("X-Remote-Group", "X-Other");
    assertThat(trust.uidHeaders()).isEmpty();
  }

  @Test
  void aClusterWithoutAggregationTrustsNoHeaders() throws UnusableTrustException {
    var trust = TrustDocument.read(Map.of());

    assertThat(trust.proxyAuthorities()).isEmpty();
    assertThat(trust.userHeaders()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Remote-User", "{}", "[1", "[null]", "\"a\"", "null", "[[\"a\"]]"})
  void namesTheKeyThatHoldsNoList(String value) {
    assertThatThrownBy(() -> TrustDocument.read(Map.of("requestheader-username-headers", value)))
        .isInstanceOf(UnusableTrustException.class)
        .hasMessageContaining("requestheader-username-headers");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\nAAAA",
      })
  void namesTheKeyThatHoldsNoCertificate(String pem) {
    assertThatThrownBy(() -> TrustDocument.read(Map.of("client-ca-file", pem)))
        .isInstanceOf(UnusableTrustException.class)
        .hasMessageContaining("client-ca-file");
  }
}
