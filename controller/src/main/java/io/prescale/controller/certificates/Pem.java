package io.prescale.controller.certificates;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.jspecify.annotations.Nullable;

/** Reads and writes certificates and keys in PEM (RFC 7468); also reads PKCS#1 and SEC 1 keys. */
public final class Pem {
  private Pem() {}

  /**
   * Reads all certificates in order, skipping other objects.
   *
   * @throws IOException if the text is incomplete or holds a malformed certificate
   */
  public static List<X509Certificate> certificates(String text) throws IOException {
    var certificates = new ArrayList<X509Certificate>();
    var converter = new JcaX509CertificateConverter();
    try (var parser = new PEMParser(new StringReader(text))) {
      for (var object = parser.readObject(); object != null; object = parser.readObject()) {
        if (object instanceof X509CertificateHolder certificate) {
          certificates.add(converter.getCertificate(certificate));
        }
      }
    } catch (CertificateException | RuntimeException e) {
      throw new IOException("malformed certificate: " + e.getMessage(), e);
    }
    return certificates;
  }

  /**
   * Reads the first private key.
   *
   * @throws IOException if there is none that can be read without a password
   */
  public static PrivateKey key(String text) throws IOException {
    var converter = new JcaPEMKeyConverter();
    try (var parser = new PEMParser(new StringReader(text))) {
      for (var object = parser.readObject(); object != null; object = parser.readObject()) {
        var key = keyInfo(object);
        if (key != null) {
          return converter.getPrivateKey(key);
        }
      }
    } catch (RuntimeException e) {
      throw new IOException("malformed private key: " + e.getMessage(), e);
    }
    throw new IOException("no private key without a password is in it");
  }

  private static @Nullable PrivateKeyInfo keyInfo(Object object) {
    return switch (object) {
      case PrivateKeyInfo key -> key;
      case PEMKeyPair pair -> pair.getPrivateKeyInfo();
      default -> null;
    };
  }

  /** Writes certificates, and private keys in PKCS#8. */
  public static String write(Collection<?> objects) {
    var text = new StringWriter();
    try (var writer = new JcaPEMWriter(text)) {
      for (var object : objects) {
        writer.writeObject(
            object instanceof PrivateKey key ? new JcaPKCS8Generator(key, null) : object);
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot write to memory", e);
    }
    return text.toString();
  }
}
