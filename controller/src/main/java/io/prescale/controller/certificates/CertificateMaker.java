package io.prescale.controller.certificates;

import io.prescale.adapter.server.ServingCertificate;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Issues certificates (RFC 5280) with ECDSA keys on P-256. */
public final class CertificateMaker {
  /** A certificate authority with its private key. */
  public record Authority(PrivateKey key, X509Certificate certificate) {}

  /** Certificates are valid from this long before they are issued, because clocks differ. */
  private static final Duration BACKDATE = Duration.ofMinutes(5);

  /** When a certificate of this maker was issued. */
  static Instant madeAt(X509Certificate certificate) {
    return certificate.getNotBefore().toInstant().plus(BACKDATE);
  }

  static List<String> names(X509Certificate certificate) {
    try {
      var names = certificate.getSubjectAlternativeNames();
      return names == null
          ? List.of()
          : names.stream().map(name -> String.valueOf(name.get(1))).toList();
    } catch (CertificateParsingException _) {
      return List.of();
    }
  }

  /** Issues a new authority, named after the time so that names are unique. */
  public Authority authority(Instant now, Duration life) {
    var name =
        new X500Principal(
            "CN=prescale-adapter-ca-" + now.truncatedTo(ChronoUnit.SECONDS).getEpochSecond());
    var keys = newKeys();
    return new Authority(
        keys.getPrivate(), sign(keys, name, name, keys.getPrivate(), now, life, List.of()));
  }

  /** Issues a new key and certificate for a server with these names. */
  ServingCertificate serving(
      X509Certificate authority,
      PrivateKey signer,
      List<String> names,
      Instant now,
      Duration life) {
    var keys = newKeys();
    var subject = new X500Principal("CN=" + names.getFirst());
    return new ServingCertificate(
        keys.getPrivate(),
        List.of(
            sign(keys, subject, authority.getSubjectX500Principal(), signer, now, life, names)));
  }

  /** Signs a certificate: of a server with these names, or of an authority if there are none. */
  private static X509Certificate sign(
      KeyPair keys,
      X500Principal subject,
      X500Principal issuer,
      PrivateKey signer,
      Instant now,
      Duration life,
      List<String> names) {
    try {
      var builder =
          new JcaX509v3CertificateBuilder(
              issuer,
              serial(keys),
              Date.from(now.minus(BACKDATE)),
              Date.from(now.plus(life)),
              subject,
              keys.getPublic());
      var authority = names.isEmpty();
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
      builder.addExtension(
          Extension.keyUsage,
          true,
          new KeyUsage(
              authority ? KeyUsage.keyCertSign | KeyUsage.cRLSign : KeyUsage.digitalSignature));
      builder.addExtension(
          Extension.subjectKeyIdentifier,
          false,
          new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
      if (!authority) {
        builder.addExtension(
            Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
        builder.addExtension(
            Extension.subjectAlternativeName,
            false,
            new GeneralNames(
                names.stream()
                    .map(name -> new GeneralName(GeneralName.dNSName, name))
                    .toArray(GeneralName[]::new)));
      }
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer)));
    } catch (GeneralSecurityException | CertIOException | OperatorCreationException e) {
      throw new IllegalStateException("no certificate could be made for " + subject, e);
    }
  }

  /** A serial number derived from the key, which is sufficiently random (RFC 5280 §4.1.2.2). */
  private static BigInteger serial(KeyPair keys) throws GeneralSecurityException {
    var digest = MessageDigest.getInstance("SHA-256").digest(keys.getPublic().getEncoded());
    return new BigInteger(1, digest).shiftRight(Long.SIZE * 2);
  }

  private static KeyPair newKeys() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK provides P-256", e);
    }
  }
}
