package io.prescale.controller.demand.prometheus;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Whom to trust on {@code https}, and what to show.
 *
 * @param ca PEM certificates to trust instead of the system's
 * @param insecure trusts any server; whoever is on the way can read and change everything
 * @param client what to show to a server that asks for it
 */
public record TlsOptions(Optional<Path> ca, boolean insecure, Optional<ClientCertificate> client) {

  /** PEM files: the certificate with its chain, and its private key in PKCS #8. */
  public record ClientCertificate(Path certificate, Path key) {}

  public TlsOptions {
    if (insecure && ca.isPresent()) {
      throw new IllegalArgumentException(
          "A CA certificate means nothing when any server is trusted; leave out one of the two.");
    }
  }

  /** Trusts what the system trusts. */
  public static TlsOptions system() {
    return new TlsOptions(Optional.empty(), false, Optional.empty());
  }
}
