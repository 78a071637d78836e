package io.prescale.controller.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyRotationTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final List<String> NAMES = List.of("prescale.system.svc", "prescale");

  private final KeyRotation rotation = new KeyRotation(new CertificateMaker(), NAMES);

  @Test
  void beginsWithACertificateThatItsAuthorityVerifies() throws GeneralSecurityException {
    var first = rotation.begin(NOON);

    var serving = serving(first);
    serving.verify(first.authority().getPublicKey());
    assertThat(CertificateMaker.names(serving)).containsExactlyElementsOf(NAMES);
    assertThat(serving.getBasicConstraints()).isNegative();
    assertThat(first.authority().getBasicConstraints()).isNotNegative();
    assertThat(serving.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    assertThat(Duration.between(NOON, serving.getNotAfter().toInstant()))
        .isEqualTo(KeyRotation.SERVING_LIFE);
    assertThat(rotation.next(first, NOON)).isEmpty();
    assertThat(rotation.next(first, NOON.plus(Duration.ofDays(59)))).isEmpty();
  }

  @Test
  void renewsTheServingCertificateThirtyDaysBeforeItsEnd() {
    var first = rotation.begin(NOON);

    var next = rotation.next(first, NOON.plus(Duration.ofDays(61))).orElseThrow();

    assertThat(next.authorities()).isEqualTo(first.authorities());
    assertThat(serving(next)).isNotEqualTo(serving(first));
  }

  @Test
  void walksThroughThreeYearsAlwaysVerifiedByTheBundleBeforeAndAfter()
      throws GeneralSecurityException {
    var material = rotation.begin(NOON);
    int authorities = 1;
    int largestBundle = 1;
    for (var now = NOON; now.isBefore(NOON.plus(Duration.ofDays(1_200))); now = step(now)) {
      var next = rotation.next(material, now).orElse(material);
      verified(serving(next), material.authorities(), now);
      verified(serving(material), next.authorities(), now);
      if (!next.authority().equals(material.authority())) {
        authorities++;
        assertThat(next.serving()).isEqualTo(material.serving());
      }
      largestBundle = Math.max(largestBundle, next.authorities().size());
      material = next;
    }
    assertThat(authorities).isEqualTo(3);
    assertThat(largestBundle).isEqualTo(2);
  }

  @Test
  void aNewAuthoritySignsOnlyAfterItHasSpread() {
    var due = NOON.plus(KeyRotation.AUTHORITY_LIFE).minus(Duration.ofDays(179));
    var old = rotation.next(rotation.begin(NOON), due.minus(Duration.ofDays(2))).orElseThrow();

    var overlapping = rotation.next(old, due).orElseThrow();

    assertThat(overlapping.authorities()).hasSize(2);
    assertThat(rotation.next(overlapping, due.plus(KeyRotation.SPREAD))).isEmpty();
    assertThat(rotation.next(overlapping, due.plus(KeyRotation.SPREAD).plusSeconds(1)))
        .hasValueSatisfying(
            signed ->
                assertThat(serving(signed).getIssuerX500Principal())
                    .isEqualTo(overlapping.authority().getSubjectX500Principal()));
  }

  @Test
  void beginsAnewWhenEverythingHasExpired() {
    var first = rotation.begin(NOON);
    var late = NOON.plus(KeyRotation.AUTHORITY_LIFE).plusSeconds(1);

    var next = rotation.next(first, late).orElseThrow();

    assertThat(next.authorities()).hasSize(1).doesNotContain(first.authority());
  }

  @Test
  void afterAStopOfAlmostTwoYearsAuthorityAndCertificateAreRenewedAtOnce()
      throws GeneralSecurityException {
    var first = rotation.begin(NOON);
    var late = NOON.plus(KeyRotation.AUTHORITY_LIFE).minus(Duration.ofDays(10));

    var next = rotation.next(first, late).orElseThrow();

    assertThat(next.authorities()).hasSize(2).contains(first.authority());
    verified(serving(next), next.authorities(), late);
    assertThat(rotation.next(next, late)).isEmpty();
  }

  @Test
  void aServiceOfAnotherNameNeedsAnotherCertificate() {
    var other = new KeyRotation(new CertificateMaker(), List.of("other.system.svc"));

    assertThat(other.next(rotation.begin(NOON), NOON))
        .hasValueSatisfying(
            next -> assertThat(CertificateMaker.names(serving(next))).contains("other.system.svc"));
  }

  @Test
  void survivesBeingWrittenAndRead() throws IOException {
    var first = rotation.begin(NOON);

    var text = Pem.write(List.of(first.authority(), first.serving().key()));

    assertThat(Pem.certificates(text)).containsExactly(first.authority());
    assertThat(Pem.key(text)).isEqualTo(first.serving().key());
  }

  private static void verified(X509Certificate serving, List<X509Certificate> bundle, Instant now)
      throws GeneralSecurityException {
    var issuer =
        bundle.stream()
            .filter(
                authority ->
                    authority.getSubjectX500Principal().equals(serving.getIssuerX500Principal()))
            .findFirst()
            .orElseThrow();
    serving.verify(issuer.getPublicKey());
    issuer.checkValidity(Date.from(now));
    serving.checkValidity(Date.from(now));
  }

  private static Instant step(Instant now) {
    return now.plus(Duration.ofHours(6));
  }

  private static X509Certificate serving(KeyMaterial material) {
    return material.serving().chain().getFirst();
  }
}
