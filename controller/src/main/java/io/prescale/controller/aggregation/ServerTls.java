package io.prescale.controller.aggregation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS of a server whose certificate lies in files. */
public final class ServerTls {
  private static final char[] NO_PASSWORD = {};

  private ServerTls() {}

  /**
   * A context that shows a certificate and believes clients whose certificates an authority signed.
   *
   * @param chain in PEM, the serving certificate first
   * @param key in PEM
   * @param clients authorities in PEM; nobody is believed without them
   * @throws IOException if a file cannot be read or the key is not the certificate's
   */
  public static SSLContext context(Path chain, Path key, Optional<Path> clients)
      throws IOException {
    var certificates = Pem.certificates(Files.readString(chain));
    if (certificates.isEmpty()) {
      throw new IOException(chain + " holds no certificate");
    }
    try {
      var own = KeyStore.getInstance("PKCS12");
      own.load(null, null);
      own.setKeyEntry(
          "server",
          Pem.key(Files.readString(key)),
          NO_PASSWORD,
          certificates.toArray(X509Certificate[]::new));
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own, NO_PASSWORD);
      var believed = KeyStore.getInstance("PKCS12");
      believed.load(null, null);
      if (clients.isPresent()) {
        for (var authority : Pem.certificates(Files.readString(clients.get()))) {
          believed.setCertificateEntry("client-" + believed.size(), authority);
        }
      }
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(believed);
      var context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("%s and %s: %s".formatted(chain, key, e.getMessage()), e);
    }
  }
}
