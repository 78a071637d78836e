package io.prescale.adapter.server;

import io.prescale.adapter.identity.TrustSettings;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where and as whom to listen.
 *
 * @param host address to bind
 * @param port to bind; 0 takes a free one
 * @param certificate of the moment; new handshakes show it
 * @param trust of the moment; new handshakes name its authorities
 * @param maxInFlight requests that are handled at once; more are refused with 429
 */
public record HttpsSettings(
    String host,
    int port,
    Supplier<ServingCertificate> certificate,
    Supplier<Optional<TrustSettings>> trust,
    int maxInFlight) {
  /** What the generic server lets in at once. */
  public static final int DEFAULT_IN_FLIGHT = 400;

  public HttpsSettings {
    if (host.isBlank() || port < 0 || port > 65_535 || maxInFlight < 1) {
      throw new IllegalArgumentException(
          "cannot listen on '%s' port %d for %d requests at once"
              .formatted(host, port, maxInFlight));
    }
  }
}
