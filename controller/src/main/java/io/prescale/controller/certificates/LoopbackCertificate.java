package io.prescale.controller.certificates;

import io.prescale.adapter.server.ServingCertificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A certificate for a server that nobody but this machine can reach, and that nobody verifies. */
public final class LoopbackCertificate {
  private static final Duration LIFE = Duration.ofDays(30);

  private LoopbackCertificate() {}

  /** A new one for {@code localhost}, valid for a month. */
  public static ServingCertificate made(Instant now) {
    var maker = new CertificateMaker();
    var authority = maker.authority(now, LIFE);
    return maker.serving(authority.certificate(), authority.key(), List.of("localhost"), now, LIFE);
  }
}
