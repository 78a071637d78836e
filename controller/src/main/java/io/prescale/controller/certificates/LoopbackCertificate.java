package io.prescale.controller.certificates;

import io.prescale.adapter.server.ServingCertificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Issues an unverified certificate for a server that only this machine can reach. */
public final class LoopbackCertificate {
  private static final Duration LIFE = Duration.ofDays(30);

  private LoopbackCertificate() {}

  /** A new certificate for {@code localhost}, valid for 30 days. */
  public static ServingCertificate made(Instant now) {
    var maker = new CertificateMaker();
    var authority = maker.authority(now, LIFE);
    return maker.serving(authority.certificate(), authority.key(), List.of("localhost"), now, LIFE);
  }
}
