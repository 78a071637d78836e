package io.prescale.controller.demand.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate that signs itself, and its key, as PEM files made by the JDK's keytool.
 *
 * @param certificate also the CA certificate to trust
 * @param key unencrypted, in PKCS #8
 */
public record SelfSigned(Path certificate, Path key) {
  private static final char[] PASSWORD = "changeit".toCharArray();

  /**
   * Makes a certificate.
   *
   * @param alternativeName such as {@code ip:127.0.0.1} or {@code dns:example.org}
   * @param algorithm RSA, EC or Ed25519
   */
  public static SelfSigned create(
      Path folder, String name, String alternativeName, String algorithm)
      throws IOException, InterruptedException, GeneralSecurityException {
    var store = folder.resolve(name + ".p12");
    keytool(store, name, alternativeName, algorithm);
    var keys = KeyStore.getInstance(store.toFile(), PASSWORD);
    return new SelfSigned(
        pem(folder.resolve(name + ".crt"), "CERTIFICATE", keys.getCertificate(name).getEncoded()),
        pem(
            folder.resolve(name + ".key"),
            "PRIVATE KEY",
            keys.getKey(name, PASSWORD).getEncoded()));
  }

  /** As an APIService and a webhook name it: PEM in base64. */
  public String caBundle() throws IOException {
    return Base64.getEncoder().encodeToString(Files.readAllBytes(certificate));
  }

  /** A server of this machine that shows it, and is not started. */
  public HttpsServer server() throws IOException, GeneralSecurityException {
    var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(serving()));
    return server;
  }

  /** For a server that shows a certificate that was made by {@link #create}. */
  public SSLContext serving() throws IOException, GeneralSecurityException {
    var name = certificate.getFileName().toString().replaceFirst("\\.crt$", ".p12");
    var store = certificate.resolveSibling(name);
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(KeyStore.getInstance(store.toFile(), PASSWORD), PASSWORD);
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private static void keytool(Path store, String name, String alternativeName, String algorithm)
      throws IOException, InterruptedException {
    var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    var command =
        List.of(
            keytool,
            "-genkeypair",
            "-keyalg",
            algorithm,
            "-alias",
            name,
            "-dname",
            "CN=" + name,
            "-ext",
            "san=" + alternativeName,
            "-validity",
            "3650",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            new String(PASSWORD));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("keytool failed: " + output);
    }
  }

  private static Path pem(Path file, String type, byte[] content) throws IOException {
    var base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return Files.writeString(
        file, "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(type, base64, type));
  }
}
