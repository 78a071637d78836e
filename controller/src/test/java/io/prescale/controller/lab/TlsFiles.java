package io.prescale.controller.lab;

import java.io.IOException;
import java.io.StringReader;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.jspecify.annotations.Nullable;

/** TLS for a client that tries how a server treats it, and so takes any server. */
final class TlsFiles {
  private TlsFiles() {}

  /** Without a certificate. */
  static SSLContext context() throws IOException {
    return context((KeyManager[]) null);
  }

  /** With a certificate and its key in PEM. */
  static SSLContext context(String certificate, String key) throws IOException {
    try {
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("own", key(key), new char[0], new Certificate[] {certificate(certificate)});
      var factory = KeyManagerFactory.getInstance("PKIX");
      factory.init(store, new char[0]);
      return context(factory.getKeyManagers());
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static SSLContext context(KeyManager @Nullable [] keys) throws IOException {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(keys, new TrustManager[] {new AnyServer()}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static X509Certificate certificate(String pem)
      throws IOException, GeneralSecurityException {
    try (var parser = new PEMParser(new StringReader(pem))) {
      return new JcaX509CertificateConverter()
          .getCertificate((X509CertificateHolder) parser.readObject());
    }
  }

  private static PrivateKey key(String pem) throws IOException {
    try (var parser = new PEMParser(new StringReader(pem))) {
      return new JcaPEMKeyConverter()
          .getPrivateKey(
              switch (parser.readObject()) {
                case PEMKeyPair pair -> pair.getPrivateKeyInfo();
                case PrivateKeyInfo info -> info;
                default -> throw new IOException("no private key");
              });
    }
  }

  private static final class AnyServer implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
