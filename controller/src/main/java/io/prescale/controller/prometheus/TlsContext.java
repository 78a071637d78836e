package io.prescale.controller.prometheus;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Turns {@link TlsOptions} into what the JDK's HTTP client wants. */
public final class TlsContext {
  private static final Pattern PKCS8 =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
  private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "EdDSA");
  private static final char[] IN_MEMORY = {};

  private TlsContext() {}

  /** The context; refuses files that are not there or hold something else. */
  public static SSLContext of(TlsOptions options) throws PrometheusException {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(keys(options), trust(options), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new PrometheusException(
          Problem.ACCESS_DENIED, "TLS cannot be set up: " + e.getMessage() + ".", e);
    }
  }

  private static TrustManager @Nullable [] trust(TlsOptions options)
      throws PrometheusException, GeneralSecurityException, IOException {
    if (options.insecure()) {
      return new TrustManager[] {new TrustAnyone()};
    }
    if (options.ca().isEmpty()) {
      return null; // the system's
    }
    var store = emptyStore();
    int number = 0;
    for (var certificate : certificates(options.ca().get())) {
      store.setCertificateEntry("ca-" + number++, certificate);
    }
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  private static KeyManager @Nullable [] keys(TlsOptions options)
      throws PrometheusException, GeneralSecurityException, IOException {
    if (options.client().isEmpty()) {
      return null;
    }
    var client = options.client().get();
    var chain = certificates(client.certificate()).toArray(Certificate[]::new);
    var store = emptyStore();
    store.setKeyEntry("client", privateKey(client.key()), IN_MEMORY, chain);
    var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, IN_MEMORY);
    return factory.getKeyManagers();
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, IN_MEMORY);
    return store;
  }

  private static Collection<? extends Certificate> certificates(Path file)
      throws PrometheusException, GeneralSecurityException {
    var factory = CertificateFactory.getInstance("X.509");
    try (var in = Files.newInputStream(file)) {
      var certificates = factory.generateCertificates(in);
      if (certificates.isEmpty()) {
        throw unusable(file, "holds no certificate", null);
      }
      return certificates;
    } catch (GeneralSecurityException e) {
      throw unusable(file, "holds no certificate in PEM", e);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static PrivateKey privateKey(Path file)
      throws PrometheusException, GeneralSecurityException {
    try {
      var pem = PKCS8.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
      if (!pem.find()) {
        throw unusable(
            file,
            "holds no unencrypted private key in PKCS #8 (openssl pkcs8 -topk8 -nocrypt makes one)",
            null);
      }
      var spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(1)));
      for (var algorithm : KEY_ALGORITHMS) {
        try {
          return KeyFactory.getInstance(algorithm).generatePrivate(spec);
        } catch (InvalidKeySpecException _) {
          // A key of another kind: the next algorithm may read it.
        }
      }
      throw unusable(file, "holds a private key that is neither RSA, EC nor EdDSA", null);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static PrometheusException unreadable(Path file, IOException e) {
    var problem = e instanceof NoSuchFileException ? "there is no such file" : "cannot be read";
    return unusable(file, problem, e);
  }

  private static PrometheusException unusable(Path file, String problem, @Nullable Exception e) {
    return new PrometheusException(Problem.ACCESS_DENIED, "%s: %s.".formatted(file, problem), e);
  }

  /** Only an extended trust manager also keeps the JDK from comparing the host's name. */
  private static final class TrustAnyone extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
