package io.prescale.adapter.identity;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertStore;
import java.security.cert.CertificateParsingException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.Collectors;

/** Validates a client certificate against certificate authorities by PKIX (RFC 5280 §6). */
final class CertificateCheck {
  private static final List<String> FOR_CLIENTS =
      List.of("1.3.6.1.5.5.7.3.2", "2.5.29.37.0"); // clientAuth, anyExtendedKeyUsage

  private CertificateCheck() {}

  /**
   * Whether the first certificate is meant for clients, valid at {@code now} and signed by one of
   * {@code authorities}, if necessary through the other certificates.
   */
  static boolean passes(
      List<X509Certificate> chain, List<X509Certificate> authorities, Instant now) {
    if (authorities.isEmpty() || chain.isEmpty() || !isForClients(chain.getFirst())) {
      return false;
    }
    try {
      CertPathBuilder.getInstance("PKIX").build(parameters(chain, authorities, now));
      return true;
    } catch (CertPathBuilderException | InvalidAlgorithmParameterException _) {
      return false;
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

  private static boolean isForClients(X509Certificate certificate) {
    try {
      var usages = certificate.getExtendedKeyUsage();
      return usages == null || usages.stream().anyMatch(FOR_CLIENTS::contains);
    } catch (CertificateParsingException _) {
      return false;
    }
  }
}
