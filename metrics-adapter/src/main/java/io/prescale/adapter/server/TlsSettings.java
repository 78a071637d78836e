package io.prescale.adapter.server;

import io.prescale.adapter.identity.TrustSettings;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * What a program's listeners with TLS show, and ask of clients.
 *
 * @param clients whether clients are asked for a certificate
 */
public record TlsSettings(SSLContext context, Clients clients) {
  /** What is asked of clients in the handshake. */
  public enum Clients {
    /** One without a certificate that the context trusts is refused. */
    NEED_CERTIFICATE,
    /** A certificate may be missing. */
    MAY_HAVE_CERTIFICATE,
    /** They are not asked. */
    NOT_ASKED
  }

  /**
   * For the external metrics API: who signed a client's certificate is judged on every request.
   *
   * @param certificate of the moment; new handshakes show it
   * @param trust of the moment; new handshakes name its authorities
   */
  public static TlsSettings ofApi(
      Supplier<ServingCertificate> certificate, Supplier<Optional<TrustSettings>> trust) {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(
          new KeyManager[] {new CurrentKey(certificate)},
          new TrustManager[] {new PossessionOnly(trust)},
          null);
      return new TlsSettings(context, Clients.MAY_HAVE_CERTIFICATE);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
  }
}
