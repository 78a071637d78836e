package io.prescale.controller.certificates;

import io.prescale.adapter.server.ServingCertificate;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A serving certificate and its authorities.
 *
 * @param authorities authorities for clients to verify with, the newest first; more than one during
 *     a rotation
 * @param authorityKey private key of the newest authority
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
