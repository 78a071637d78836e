package io.prescale.adapter.server;

import io.prescale.adapter.identity.TrustSettings;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Accepts every client certificate in the handshake, which proves only that the client has its key.
 * The {@link io.prescale.adapter.identity.Authenticator} validates the certificate on every
 * request: authorities may change while a connection lives, and a refused client gets a {@code
 * Status} instead of a broken handshake. Go's {@code tls.RequestClientCert}, which every API server
 * uses, does the same.
 */
final class PossessionOnly extends X509ExtendedTrustManager {
  private final Supplier<Optional<TrustSettings>> trust;

  PossessionOnly(Supplier<Optional<TrustSettings>> trust) {
    this.trust = trust;
  }

  /** The current authorities, so that clients with several certificates send the right one. */
  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return trust
        .get()
        .map(
            settings ->
                Stream.concat(
                        settings.clientAuthorities().stream(), settings.proxyAuthorities().stream())
                    .distinct()
                    .toArray(X509Certificate[]::new))
        .orElseGet(() -> new X509Certificate[0]);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType) {}

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException("a server does not check server certificates");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    checkServerTrusted(chain, authType);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    checkServerTrusted(chain, authType);
  }
}
