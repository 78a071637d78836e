package io.prescale.controller.certificates;

import io.prescale.adapter.server.ServingCertificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides which keys to replace, and when.
 *
 * <p>A new authority joins the bundle first and signs only after {@link #SPREAD}, when every API
 * server has it; the old one stays in the bundle until it expires. So every certificate in use is
 * verified both by the current bundle and by the ones just before and after it.
 */
public final class KeyRotation {
  static final Duration AUTHORITY_LIFE = Duration.ofDays(730);
  static final Duration SERVING_LIFE = Duration.ofDays(90);
  static final Duration SPREAD = Duration.ofMinutes(10);
  private static final Duration RENEW_AUTHORITY = Duration.ofDays(180);
  private static final Duration RENEW_SERVING = Duration.ofDays(30);

  private final CertificateMaker maker;
  private final List<String> names;

  /**
   * Creates the rotation for one service.
   *
   * @param names DNS names of the service; the first is the subject
   */
  public KeyRotation(CertificateMaker maker, List<String> names) {
    this.maker = maker;
    this.names = List.copyOf(names);
  }

  /** Issues the first authority and the first certificate. */
  KeyMaterial begin(Instant now) {
    var authority = maker.authority(now, AUTHORITY_LIFE);
    return new KeyMaterial(
        List.of(authority.certificate()),
        authority.key(),
        maker.serving(authority.certificate(), authority.key(), names, now, SERVING_LIFE));
  }

  /** What replaces {@code material} now; empty while nothing is due. */
  Optional<KeyMaterial> next(KeyMaterial material, Instant now) {
    return step(material, now).map(it -> next(it, now).orElse(it));
  }

  /** One renewal; after a long stop, several may be due. */
  private Optional<KeyMaterial> step(KeyMaterial material, Instant now) {
    if (now.isAfter(end(material.authority()))) {
      return Optional.of(begin(now));
    }
    var kept = material.authorities().stream().filter(old -> !now.isAfter(end(old))).toList();
    if (isDue(material.authority(), RENEW_AUTHORITY, now)) {
      var authority = maker.authority(now, AUTHORITY_LIFE);
      return Optional.of(
          new KeyMaterial(
              Stream.concat(Stream.of(authority.certificate()), kept.stream()).toList(),
              authority.key(),
              material.serving()));
    }
    if (needsServing(material, now)) {
      return Optional.of(
          new KeyMaterial(
              kept,
              material.authorityKey(),
              maker.serving(
                  material.authority(), material.authorityKey(), names, now, SERVING_LIFE)));
    }
    return kept.equals(material.authorities())
        ? Optional.empty()
        : Optional.of(new KeyMaterial(kept, material.authorityKey(), material.serving()));
  }

  private boolean needsServing(KeyMaterial material, Instant now) {
    var serving = leaf(material.serving());
    if (now.isAfter(end(serving)) || !CertificateMaker.names(serving).containsAll(names)) {
      return true;
    }
    var signedByNewest =
        serving.getIssuerX500Principal().equals(material.authority().getSubjectX500Principal());
    var hasSpread = now.isAfter(CertificateMaker.madeAt(material.authority()).plus(SPREAD));
    return hasSpread && (!signedByNewest || isDue(serving, RENEW_SERVING, now));
  }

  private static boolean isDue(X509Certificate certificate, Duration before, Instant now) {
    return now.isAfter(end(certificate).minus(before));
  }

  private static Instant end(X509Certificate certificate) {
    return certificate.getNotAfter().toInstant();
  }

  private static X509Certificate leaf(ServingCertificate serving) {
    return serving.chain().getFirst();
  }
}
