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
 * Lets every client certificate through the handshake, which proves that the client has its key and
 * nothing else. Who signed it is held against the cluster's authorities by the {@link
 * io.prescale.adapter.identity.Authenticator} on every request: these may change while a connection
 * lives, and a refused client deserves a {@code Status} rather than a broken handshake. Go's {@code
 * tls.RequestClientCert}, which every API server uses, does the same.
 */
final class PossessionOnly extends X509ExtendedTrustManager {
  private final Supplier<Optional<TrustSettings>> trust;

  PossessionOnly(Supplier<Optional<TrustSettings>> trust) {
    this.trust = trust;
  }

  /** The authorities of the moment, so that clients with several certificates choose well. */
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
    throw new CertificateException("this end is the server");
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
