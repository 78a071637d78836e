package io.prescale.adapter.identity;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.naming.InvalidNameException;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;

/**
 * The names in a certificate's subject.
 *
 * @param commonName the last CN, empty if there is none
 * @param organizations every O
 */
record Subject(String commonName, List<String> organizations) {
  static Subject of(X509Certificate certificate) {
    var commonName = "";
    var organizations = new ArrayList<String>();
    try {
      for (var part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
        var attributes = part.toAttributes().getAll();
        while (attributes.hasMore()) {
          var attribute = attributes.next();
          if (attribute.getID().equalsIgnoreCase("CN")) {
            commonName = text(attribute);
          } else if (attribute.getID().equalsIgnoreCase("O")) {
            organizations.add(text(attribute));
          }
        }
      }
    } catch (InvalidNameException e) {
      throw new IllegalStateException("RFC 2253 names are LDAP names", e);
    } catch (NamingException e) {
      throw new IllegalStateException("a parsed name has no referrals", e);
    }
    return new Subject(commonName, List.copyOf(organizations));
  }

  /** A name that is not a string (RFC 2253 §2.4 writes it in hexadecimal) counts as empty. */
  private static String text(Attribute attribute) throws NamingException {
    return attribute.get() instanceof String name ? name : "";
  }
}
