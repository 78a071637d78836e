package io.prescale.controller.certificates;

import io.prescale.adapter.server.ServingCertificate;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A serving certificate and who signs it.
 *
 * @param authorities what clients verify by, the newest first: more than one while one follows the
 *     other
 * @param authorityKey of the newest authority
 */
record KeyMaterial(
    List<X509Certificate> authorities, PrivateKey authorityKey, ServingCertificate serving) {
  KeyMaterial {
    authorities = List.copyOf(authorities);
    if (authorities.isEmpty()) {
      throw new IllegalArgumentException("key material needs an authority");
    }
  }

  X509Certificate authority() {
    return authorities.getFirst();
  }
}
