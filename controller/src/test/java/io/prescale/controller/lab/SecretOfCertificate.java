package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.certificates.CertificateMaker;
import io.prescale.controller.certificates.KeyRotation;
import io.prescale.controller.certificates.KeySecret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** The Secret that all replicas share, of the Service prescale in the namespace prescale. */
record SecretOfCertificate(KubernetesClient client) {
  private static final String SERVICE = "prescale.prescale";

  /** The certificate's life without the time in which it is renewed. */
  private static final Duration RENEWED_AFTER = Duration.ofDays(60);

  /** Makes it, with a certificate that is renewed when a replica looks after this time. */
  void makeDue(Instant time) throws IOException {
    makeAsAt(time.minus(RENEWED_AFTER));
  }

  /** Makes it anew, as at a time. */
  void makeAsAt(Instant time) throws IOException {
    client.secrets().inNamespace("prescale").withName("prescale-tls").delete();
    var names = List.of(SERVICE + ".svc", SERVICE, "prescale", SERVICE + ".svc.cluster.local");
    var rotation = new KeyRotation(new CertificateMaker(), names);
    new KeySecret(client, "prescale", "prescale-tls", rotation).refresh(time);
  }

  /** Until replicas serve with its certificate: one makes it, and others look once a minute. */
  void awaitAt(int... ports) {
    for (int port : ports) {
      patiently().until(() -> isServedAt(port));
    }
  }

  /** Whether the certificate of a TLS handshake with a port of this machine is the Secret's. */
  private boolean isServedAt(int port) throws IOException, GeneralSecurityException {
    var pem = new ByteArrayInputStream(Base64.getDecoder().decode(certificate()));
    var stored = CertificateFactory.getInstance("X.509").generateCertificate(pem);
    var tls = SSLContext.getInstance("TLS");
    tls.init(null, new TrustManager[] {new TrustsAll()}, null);
    try (var socket = (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.setSoTimeout((int) Duration.ofSeconds(10).toMillis());
      socket.startHandshake();
      return socket.getSession().getPeerCertificates()[0].equals(stored);
    }
  }

  /** What is served is only compared. */
  private static final class TrustsAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  String certificate() {
    var secret = client.secrets().inNamespace("prescale").withName("prescale-tls").require();
    return Objects.requireNonNull(secret.getData().get("tls.crt"));
  }
}
