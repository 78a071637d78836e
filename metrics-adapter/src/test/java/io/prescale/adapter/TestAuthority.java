package io.prescale.adapter;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.concurrent.atomic.AtomicLong;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate authority for tests; unless said, certificates are valid for a day around {@code
 * now}.
 */
public final class TestAuthority {
  /** A certificate with its key. */
  public record Issued(PrivateKey key, X509Certificate certificate) {}

  private static final Duration HALF_A_DAY = Duration.ofHours(12);

  private final AtomicLong serial = new AtomicLong(1);
  private final Instant now;
  private final Issued self;

  public TestAuthority(String name, Instant now) {
    this.now = now;
    var keys = newKeys();
    this.self =
        new Issued(
            keys.getPrivate(),
            sign(
                keys,
                "CN=" + name,
                keys.getPrivate(),
                "CN=" + name,
                true,
                KeyPurposeId.anyExtendedKeyUsage,
                now.plus(HALF_A_DAY)));
  }

  public X509Certificate certificate() {
    return self.certificate();
  }

  /** A certificate for a client. */
  public Issued client(String subject) {
    return client(subject, now.plus(HALF_A_DAY));
  }

  /** A certificate for a client that ends at a time of its own. */
  public Issued client(String subject, Instant until) {
    return issue(subject, KeyPurposeId.id_kp_clientAuth, until);
  }

  /** A certificate for a server on loopback. */
  public Issued server(String subject) {
    return issue(subject, KeyPurposeId.id_kp_serverAuth, now.plus(HALF_A_DAY));
  }

  private Issued issue(String subject, KeyPurposeId purpose, Instant until) {
    var keys = newKeys();
    var issuer = self.certificate().getSubjectX500Principal().getName();
    return new Issued(
        keys.getPrivate(), sign(keys, subject, self.key(), issuer, false, purpose, until));
  }

  private X509Certificate sign(
      KeyPair keys,
      String subject,
      PrivateKey signer,
      String issuer,
      boolean authority,
      KeyPurposeId purpose,
      Instant until) {
    try {
      var builder =
          new JcaX509v3CertificateBuilder(
              new X500Principal(issuer),
              BigInteger.valueOf(serial.getAndIncrement()),
              Date.from(now.minus(HALF_A_DAY)),
              Date.from(until),
              new X500Principal(subject),
              keys.getPublic());
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
      if (!authority) {
        builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
        builder.addExtension(
            Extension.subjectAlternativeName,
            false,
            new GeneralNames(new GeneralName(GeneralName.iPAddress, "127.0.0.1")));
      }
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer)));
    } catch (GeneralSecurityException | CertIOException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyPair newKeys() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
