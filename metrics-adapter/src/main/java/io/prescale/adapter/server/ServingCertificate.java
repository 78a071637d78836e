package io.prescale.adapter.server;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The private key and certificate chain that the server presents to clients.
 *
 * @param chain the server's own certificate first, each signed by the next
 */
public record ServingCertificate(PrivateKey key, List<X509Certificate> chain) {
  public ServingCertificate {
    chain = List.copyOf(chain);
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("a serving certificate needs a chain of at least one");
    }
  }

  @Override
  public String toString() {
    return "ServingCertificate of " + chain.getFirst().getSubjectX500Principal().getName();
  }
}
