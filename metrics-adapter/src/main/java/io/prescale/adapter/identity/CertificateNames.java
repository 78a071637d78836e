package io.prescale.adapter.identity;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The names that a certificate has: its common name, and those of DNS and URIs. */
public final class CertificateNames {
  private static final List<Integer> DNS_AND_URI = List.of(2, 6); // RFC 5280 §4.2.1.6

  private CertificateNames() {}

  /** All of them; empty for a certificate without any, or with names that cannot be read. */
  public static SortedSet<String> of(X509Certificate certificate) {
    var names = new TreeSet<String>();
    try {
      var alternatives = certificate.getSubjectAlternativeNames();
      if (alternatives != null) {
        for (var name : alternatives) {
          if (DNS_AND_URI.contains(name.getFirst()) && name.getLast() instanceof String text) {
            names.add(text);
          }
        }
      }
    } catch (CertificateParsingException _) {
      return names;
    }
    var commonName = Subject.of(certificate).commonName();
    if (!commonName.isEmpty()) {
      names.add(commonName);
    }
    return names;
  }
}
