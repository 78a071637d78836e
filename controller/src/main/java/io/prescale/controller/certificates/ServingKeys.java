package io.prescale.controller.certificates;

import io.prescale.adapter.server.ServingCertificate;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/** Where the adapter's certificate lives. */
public sealed interface ServingKeys permits KeyFiles, KeySecret {
  /**
   * What to show from now on.
   *
   * @param caBundle what verifies it, in PEM; empty if somebody else says so
   */
  record Current(ServingCertificate certificate, Optional<String> caBundle) {}

  /**
   * Reads it, and renews it if that is done here and due.
   *
   * @throws IOException if it cannot be read: what was read before stays good
   */
  Current refresh(Instant now) throws IOException;
}
