package io.prescale.controller.certificates;

import io.prescale.adapter.server.ServingCertificate;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/** Stores the adapter's certificate. */
public sealed interface ServingKeys permits KeyFiles, KeySecret {
  /**
   * The certificate to serve with.
   *
   * @param caBundle authorities to verify it with, in PEM; empty if maintained externally
   */
  record Current(ServingCertificate certificate, Optional<String> caBundle) {}

  /**
   * Reads the certificate, and renews it if it is issued here and due.
   *
   * @throws IOException if it cannot be read, in which case the last one remains in use
   */
  Current refresh(Instant now) throws IOException;
}
