package io.prescale.controller.demand.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.prescale.controller.input.InputException.Fault;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a real server that speaks TLS and asks for a password and a client certificate. */
class RealPrometheusAccessTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** bcrypt of the password below. */
  private static final String HASH = "$2b$04$abcdefghijklmnopqrstuuaUNpTaGyHErb7YklXKRt/SEtSLxPST6";

  private static final Credentials ALICE = new Credentials.Basic("alice", "s3cret-pass");

  @TempDir private static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static SelfSigned server;

  @SuppressWarnings("NullAway.Init")
  private static SelfSigned client;

  @SuppressWarnings("NullAway.Init")
  private static RealPrometheus prometheus;

  @BeforeAll
  static void start() throws Exception {
    server = SelfSigned.create(folder, "server", "ip:127.0.0.1", "EC");
    client = SelfSigned.create(folder, "client", "dns:client", "RSA");
    var webConfig =
        """
        tls_server_config:
          cert_file: %s
          key_file: %s
          client_auth_type: RequireAndVerifyClientCert
          client_ca_file: %s
        basic_auth_users:
          alice: %s
        """
            .formatted(server.certificate(), server.key(), client.certificate(), HASH);
    var history = Stream.of("# TYPE load gauge", "load 5 " + START.getEpochSecond());
    prometheus = RealPrometheus.start(folder, history, webConfig);
  }

  @AfterAll
  static void stop() {
    if (prometheus != null) {
      prometheus.close();
    }
  }

  @Test
  void isLetInWithPasswordAndCertificates() throws Exception {
    var source = source(ALICE, tls(server, client));

    assertThat(source.read().samples()).hasSize(1).first().extracting("value").isEqualTo(5.0);
  }

  @Test
  void trustsAnyServerIfConfigured() throws Exception {
    var anyServer = new TlsOptions(Optional.empty(), true, shown(client));

    assertThat(source(ALICE, anyServer).read().samples()).hasSize(1);
    assertThat(source(url("https://localhost:"), ALICE, anyServer).read().samples()).hasSize(1);
  }

  @Test
  void isNotLetInWithoutOrWithWrongPassword() {
    var wrong = new Credentials.Basic("alice", "wrong-pass");
    var message =
        prometheus.url() + " denies access with these credentials (401): \"Unauthorized\".";

    assertThatUnreachable(source(new Credentials.None(), tls(server, client)), message);
    assertThatUnreachable(source(wrong, tls(server, client)), message);
  }

  @Test
  void doesNotTrustAnUnknownCa() {
    var message =
        prometheus.url() + " presents a certificate of an untrusted CA; add that CA certificate.";

    assertThatUnreachable(source(ALICE, TlsOptions.system()), message);
    assertThatUnreachable(source(ALICE, tls(client, client)), message);
  }

  @Test
  void doesNotTrustACertificateForAnotherHost() {
    var elsewhere = url("https://localhost:");
    var source = source(elsewhere, ALICE, tls(server, client));

    assertThat(catchThrowableOfType(PrometheusException.class, source::read))
        .hasMessageStartingWith(elsewhere + " cannot be reached over TLS: ")
        .hasMessageContaining("matching localhost found");
  }

  @Test
  void saysThatTheServerWantsTls() {
    var plain = url("http://127.0.0.1:");

    assertThatUnreachable(
        source(plain, ALICE, TlsOptions.system()),
        plain + " requires TLS; write https:// instead of http://.");
  }

  @Test
  void needsTheClientCertificate() {
    var withoutOne =
        new TlsOptions(
            Optional.of(new PemSource.InFile(server.certificate())), false, Optional.empty());
    var refusal = catchThrowableOfType(PrometheusException.class, source(ALICE, withoutOne)::read);

    assertThat(refusal).hasMessageContaining("certificate");
    assertThat(refusal.fault()).isEqualTo(Fault.UNREACHABLE);
  }

  @Test
  void namesAFileThatHoldsNoCertificateOrKey() throws Exception {
    var absent = folder.resolve("absent.pem");
    var text = Files.writeString(folder.resolve("text.pem"), "not a certificate");
    var openSsl =
        Files.writeString(
            folder.resolve("old.key"),
            "-----BEGIN RSA PRIVATE KEY-----\nAA==\n-----END RSA PRIVATE KEY-----\n");

    assertThatUnreachable(source(ALICE, trusting(absent)), absent + ": there is no such file.");
    assertThatUnreachable(source(ALICE, trusting(text)), text + ": holds no certificate in PEM.");
    assertThatUnreachable(
        source(ALICE, tls(server, new SelfSigned(client.certificate(), openSsl))),
        openSsl + ": holds no unencrypted private key in PEM.");
  }

  private static void assertThatUnreachable(PrometheusHistory source, String message) {
    var refusal = catchThrowableOfType(PrometheusException.class, source::read);

    assertThat(refusal).hasMessage(message);
    assertThat(refusal.fault()).isEqualTo(Fault.UNREACHABLE);
  }

  private static TlsOptions trusting(Path ca) {
    return new TlsOptions(Optional.of(new PemSource.InFile(ca)), false, Optional.empty());
  }

  private static TlsOptions tls(SelfSigned trusted, SelfSigned shown) {
    return new TlsOptions(
        Optional.of(new PemSource.InFile(trusted.certificate())), false, shown(shown));
  }

  private static Optional<TlsOptions.ClientCertificate> shown(SelfSigned shown) {
    return Optional.of(
        new TlsOptions.ClientCertificate(
            new PemSource.InFile(shown.certificate()), new PemSource.InFile(shown.key())));
  }

  private static URI url(String schemeAndHost) {
    return URI.create(schemeAndHost + prometheus.url().getPort());
  }

  private static PrometheusHistory source(Credentials credentials, TlsOptions tls) {
    return source(prometheus.url(), credentials, tls);
  }

  private static PrometheusHistory source(URI url, Credentials credentials, TlsOptions tls) {
    return new PrometheusHistory(
        new PrometheusServer(url, credentials, List.of(), tls),
        Patience.defaults(),
        new RangeQuery("load", START, START, Duration.ofMinutes(1)),
        PrometheusHistory.MOST_POINTS,
        (n, of) -> {});
  }
}
