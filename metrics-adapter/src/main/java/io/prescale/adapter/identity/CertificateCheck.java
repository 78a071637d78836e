package io.prescale.adapter.identity;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertStore;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Validates a client certificate against certificate authorities by PKIX (RFC 5280 §6). */
final class CertificateCheck {
  private static final List<String> FOR_CLIENTS =
      List.of("1.3.6.1.5.5.7.3.2", "2.5.29.37.0"); // clientAuth, anyExtendedKeyUsage

  private CertificateCheck() {}

  /**
   * When the first certificate, one of those that lead to an authority, or that authority ends.
   * Empty unless it is meant for clients, valid at {@code now} and signed by one of {@code
   * authorities} that is valid too, if necessary through the other certificates.
   */
  static Optional<Instant> validUntil(
      List<X509Certificate> chain, List<X509Certificate> authorities, Instant now) {
    // PKIX leaves it to its caller whether an authority is still valid (RFC 5280 §6.1.1)
    var valid = authorities.stream().filter(authority -> isValid(authority, now)).toList();
    if (valid.isEmpty() || chain.isEmpty() || !isForClients(chain.getFirst())) {
      return Optional.empty();
    }
    try {
      var built = CertPathBuilder.getInstance("PKIX").build(parameters(chain, valid, now));
      var anchor = ((PKIXCertPathBuilderResult) built).getTrustAnchor().getTrustedCert();
      return Stream.concat(Stream.of(anchor), built.getCertPath().getCertificates().stream())
          .map(certificate -> ((X509Certificate) certificate).getNotAfter().toInstant())
          .min(Comparator.naturalOrder());
    } catch (CertPathBuilderException | InvalidAlgorithmParameterException _) {
      return Optional.empty();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK provides PKIX", e);
    }
  }

  private static PKIXBuilderParameters parameters(
      List<X509Certificate> chain, List<X509Certificate> authorities, Instant now)
      throws GeneralSecurityException {
    var target = new X509CertSelector();
    target.setCertificate(chain.getFirst());
    var anchors =
        authorities.stream()
            .map(authority -> new TrustAnchor(authority, null))
            .collect(Collectors.toSet());
    var parameters = new PKIXBuilderParameters(anchors, target);
    parameters.setRevocationEnabled(false);
    parameters.setDate(Date.from(now));
    parameters.addCertStore(
        CertStore.getInstance("Collection", new CollectionCertStoreParameters(chain)));
    return parameters;
  }

  private static boolean isValid(X509Certificate certificate, Instant now) {
    try {
      certificate.checkValidity(Date.from(now));
      return true;
    } catch (CertificateExpiredException | CertificateNotYetValidException _) {
      return false;
    }
  }

  private static boolean isForClients(X509Certificate certificate) {
    try {
      var usages = certificate.getExtendedKeyUsage();
      return usages == null || usages.stream().anyMatch(FOR_CLIENTS::contains);
    } catch (CertificateParsingException _) {
      return false;
    }
  }
}
