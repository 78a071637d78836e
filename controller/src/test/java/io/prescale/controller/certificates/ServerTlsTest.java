package io.prescale.controller.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerTlsTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir private Path folder;

  private final Instant now = Instant.now();
  private final CertificateMaker maker = new CertificateMaker();
  private final CertificateMaker.Authority authority = maker.authority(now, HOUR);
  private final AtomicLong nanos = new AtomicLong();

  @BeforeEach
  void writeFirst() throws IOException {
    renew();
  }

  @Test
  void showsARenewedCertificateAMinuteLaterWithoutARestart() throws Exception {
    var context = context();
    var first = shown(context);
    var second = renew();
    assertThat(shown(context)).as("not looked again yet").isEqualTo(first);

    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    assertThat(shown(context)).isEqualTo(second).isNotEqualTo(first);
  }

  @Test
  void keepsWhatItHasWhileTheFilesMakeNoSense() throws Exception {
    var context = context();
    var first = shown(context);
    Files.writeString(folder.resolve("tls.crt"), "half of a");
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    assertThat(shown(context)).isEqualTo(first);

    var second = renew();
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    assertThat(shown(context)).isEqualTo(second);
  }

  @Test
  void doesNotStartWithoutACertificate() throws IOException {
    Files.writeString(folder.resolve("tls.crt"), "");

    assertThatThrownBy(this::context)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("tls.crt holds no certificate");
  }

  private SSLContext context() throws IOException {
    return ServerTls.context(
        folder.resolve("tls.crt"), folder.resolve("tls.key"), Optional.empty(), nanos::get);
  }

  /** Writes another certificate and gives its number. */
  private BigInteger renew() throws IOException {
    var serving =
        maker.serving(authority.certificate(), authority.key(), List.of("localhost"), now, HOUR);
    Files.writeString(folder.resolve("tls.crt"), Pem.write(serving.chain()));
    Files.writeString(folder.resolve("tls.key"), Pem.write(List.of(serving.key())));
    return serving.chain().getFirst().getSerialNumber();
  }

  /** The number of the certificate that a client gets in a handshake. */
  private BigInteger shown(SSLContext context) throws Exception {
    var loopback = InetAddress.getLoopbackAddress();
    try (var server =
            (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0, 1, loopback);
        var client =
            (SSLSocket)
                trusting().getSocketFactory().createSocket(loopback, server.getLocalPort())) {
      var accepting =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (var accepted = (SSLSocket) server.accept()) {
                      accepted.startHandshake();
                    } catch (IOException e) {
                      throw new IllegalStateException(e);
                    }
                  });
      client.startHandshake();
      accepting.join();
      return ((X509Certificate) client.getSession().getPeerCertificates()[0]).getSerialNumber();
    }
  }

  private SSLContext trusting() throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("authority", authority.certificate());
    var factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(store);
    TrustManager[] managers = factory.getTrustManagers();
    var context = SSLContext.getInstance("TLS");
    context.init(null, managers, null);
    return context;
  }
}
