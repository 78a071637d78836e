package io.prescale.controller.certificates;

import io.prescale.adapter.server.ServingCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;

/** Reads the certificate from files that are renewed externally. */
public record KeyFiles(Certificates.FromFiles files) implements ServingKeys {
  private static final byte[] PROBE = {1, 2, 3};

  @Override
  public Current refresh(Instant now) throws IOException {
    Optional<String> authority = Optional.empty();
    if (files.authority().isPresent()) {
      authority = Optional.of(Files.readString(files.authority().get()));
    }
    return new Current(certificate(), authority);
  }

  ServingCertificate certificate() throws IOException {
    var chain = Pem.certificates(Files.readString(files.chain()));
    if (chain.isEmpty()) {
      throw new IOException(files.chain() + " holds no certificate");
    }
    var key = Pem.key(Files.readString(files.key()));
    if (!belong(key, chain.getFirst())) {
      // The files are replaced one after the other; the next refresh finds both.
      throw new IOException(
          "the key in %s is not that of the certificate in %s"
              .formatted(files.key(), files.chain()));
    }
    return new ServingCertificate(key, chain);
  }

  private static boolean belong(PrivateKey key, X509Certificate certificate) {
    try {
      var signer =
          Signature.getInstance(
              switch (key.getAlgorithm()) {
                case "EC" -> "SHA256withECDSA";
                case "RSA" -> "SHA256withRSA";
                default -> key.getAlgorithm(); // EdDSA
              });
      signer.initSign(key);
      signer.update(PROBE);
      var signature = signer.sign();
      signer.initVerify(certificate.getPublicKey());
      signer.update(PROBE);
      return signer.verify(signature);
    } catch (GeneralSecurityException _) {
      return false;
    }
  }
}
