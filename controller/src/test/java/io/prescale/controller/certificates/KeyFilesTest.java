package io.prescale.controller.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFilesTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  @TempDir private Path folder = Path.of("");
  private final CertificateMaker maker = new CertificateMaker();
  private final CertificateMaker.Authority authority = maker.authority(NOON, Duration.ofDays(1));

  @BeforeEach
  void write() throws IOException {
    writeServing();
    Files.writeString(folder.resolve("ca.crt"), Pem.write(List.of(authority.certificate())));
  }

  @Test
  void readsTheFilesOnEveryRefresh() throws IOException {
    var first = files().refresh(NOON);
    writeServing();

    var second = files().refresh(NOON);

    assertThat(first.caBundle()).contains(Pem.write(List.of(authority.certificate())));
    assertThat(second.certificate()).isNotEqualTo(first.certificate());
  }

  @Test
  void readsKeysInTheOlderForms() throws IOException, GeneralSecurityException {
    var serving = writeServing();
    var text = new StringWriter();
    try (var writer = new PemWriter(text)) {
      var numbers =
          new ECPrivateKey(
              256,
              ((java.security.interfaces.ECPrivateKey) serving).getS(),
              SECObjectIdentifiers.secp256r1);
      writer.writeObject(new PemObject("EC PRIVATE KEY", numbers.getEncoded()));
    }
    Files.writeString(folder.resolve("tls.key"), text.toString());
    assertThat(files().refresh(NOON).certificate().key())
        .isInstanceOfSatisfying(
            java.security.interfaces.ECPrivateKey.class,
            key ->
                assertThat(key.getS())
                    .isEqualTo(((java.security.interfaces.ECPrivateKey) serving).getS()));

    var rsa = KeyPairGenerator.getInstance("RSA").generateKeyPair().getPrivate();
    var pkcs1 = new StringWriter();
    try (var writer = new JcaPEMWriter(pkcs1)) {
      writer.writeObject(rsa);
    }
    assertThat(pkcs1.toString()).contains("BEGIN RSA PRIVATE KEY");
    assertThat(Pem.key(pkcs1.toString())).isEqualTo(rsa);
  }

  @Test
  void refusesAKeyOfAnotherCertificate() throws IOException, GeneralSecurityException {
    Files.writeString(
        folder.resolve("tls.key"),
        Pem.write(List.of(KeyPairGenerator.getInstance("RSA").generateKeyPair().getPrivate())));

    assertThatThrownBy(() -> files().refresh(NOON))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not that of the certificate");
  }

  @Test
  void saysWhichFileIsEmpty() throws IOException {
    Files.writeString(folder.resolve("tls.crt"), "");
    assertThatThrownBy(() -> files().refresh(NOON)).hasMessageContaining("holds no certificate");

    writeServing();
    Files.writeString(folder.resolve("tls.key"), "-----BEGIN X-----\nAAAA\n-----END X-----\n");
    assertThatThrownBy(() -> files().refresh(NOON)).isInstanceOf(IOException.class);

    Files.delete(folder.resolve("tls.crt"));
    assertThatThrownBy(() -> files().refresh(NOON)).isInstanceOf(IOException.class);
  }

  private PrivateKey writeServing() throws IOException {
    var serving =
        maker.serving(
            authority.certificate(),
            authority.key(),
            List.of("a.b.svc"),
            NOON,
            Duration.ofHours(1));
    Files.writeString(folder.resolve("tls.crt"), Pem.write(serving.chain()));
    Files.writeString(folder.resolve("tls.key"), Pem.write(List.of(serving.key())));
    return serving.key();
  }

  private KeyFiles files() {
    return new KeyFiles(
        new Certificates.FromFiles(
            folder.resolve("tls.crt"),
            folder.resolve("tls.key"),
            Optional.of(folder.resolve("ca.crt"))));
  }
}
