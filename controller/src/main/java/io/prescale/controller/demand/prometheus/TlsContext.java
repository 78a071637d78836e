package io.prescale.controller.demand.prometheus;

import io.prescale.controller.certificates.Pem;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
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

  private static List<X509Certificate> certificates(Path file) throws PrometheusException {
    try {
      var certificates = Pem.certificates(text(file));
      if (!certificates.isEmpty()) {
        return certificates;
      }
    } catch (IOException e) {
      throw unusable(file, "holds no certificate in PEM", e);
    }
    throw unusable(file, "holds no certificate in PEM", null);
  }

  private static PrivateKey privateKey(Path file) throws PrometheusException {
    try {
      return Pem.key(text(file));
    } catch (IOException e) {
      throw unusable(file, "holds no unencrypted private key in PEM", e);
    }
  }

  /** What is no text becomes some, in which nothing is found. */
  private static String text(Path file) throws PrometheusException {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      var problem = e instanceof NoSuchFileException ? "there is no such file" : "cannot be read";
      throw unusable(file, problem, e);
    }
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
