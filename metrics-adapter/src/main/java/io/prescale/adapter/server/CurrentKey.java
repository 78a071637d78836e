package io.prescale.adapter.server;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Presents the current serving certificate in every new handshake. */
public final class CurrentKey extends X509ExtendedKeyManager {
  private static final String ALIAS = "serving";

  private final Supplier<ServingCertificate> certificate;

  /**
   * Creates a server's key manager.
   *
   * @param certificate supplies the current certificate; called several times in a handshake
   */
  public CurrentKey(Supplier<ServingCertificate> certificate) {
    this.certificate = certificate;
  }

  /** The alias, if the certificate's key is of the type that the client understands. */
  private @Nullable String alias(String keyType) {
    var algorithm = certificate.get().key().getAlgorithm();
    return keyType.startsWith(algorithm) || keyType.equals(algorithm) ? ALIAS : null;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return alias(keyType);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(keyType);
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return alias(keyType) == null ? null : new String[] {ALIAS};
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return certificate.get().chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return certificate.get().key();
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
