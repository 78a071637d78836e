package io.prescale.controller.demand.prometheus;

import java.util.Optional;

/**
 * Which server certificates to trust on {@code https}, and which client certificate to present.
 *
 * @param ca certificates to trust instead of the system's
 * @param insecure accepts any server certificate, which permits a man-in-the-middle attack
 * @param client the certificate for servers that request one
 */
public record TlsOptions(
    Optional<PemSource> ca, boolean insecure, Optional<ClientCertificate> client) {

  /** The certificate with its chain, and its private key in PKCS #8. */
  public record ClientCertificate(PemSource certificate, PemSource key) {}

  public TlsOptions {
    if (insecure && ca.isPresent()) {
      throw new IllegalArgumentException(
          "A CA certificate has no effect when any server is trusted; remove one of the two"
              + " options.");
    }
  }

  /** Trusts the system's CA certificates. */
  public static TlsOptions system() {
    return new TlsOptions(Optional.empty(), false, Optional.empty());
  }
}
