package io.prescale.controller.certificates;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.prescale.adapter.server.CurrentKey;
import io.prescale.adapter.server.ServingCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** TLS of a server whose certificate lies in files that are renewed from outside. */
public final class ServerTls {
  private static final Logger LOG = LoggerFactory.getLogger(ServerTls.class);
  private static final Duration LOOK_AGAIN = Duration.ofMinutes(1);

  private ServerTls() {}

  /**
   * A context that shows the certificate that the files hold, or held a minute ago, and believes
   * clients whose certificates an authority signed.
   *
   * @param chain in PEM, the serving certificate first
   * @param key in PEM
   * @param clients authorities in PEM, read once; without them no client is trusted
   * @param nanoTime a clock that never goes back
   * @throws IOException if a file cannot be read or the key is not the certificate's
   */
  public static SSLContext context(
      Path chain, Path key, Optional<Path> clients, LongSupplier nanoTime) throws IOException {
    var files = new KeyFiles(new Certificates.FromFiles(chain, key, Optional.empty()));
    var believed =
        clients.isPresent()
            ? Pem.certificates(Files.readString(clients.get()))
            : List.<X509Certificate>of();
    var context =
        SslContextBuilder.forServer(new CurrentKey(new Renewed(files, nanoTime)))
            .sslProvider(SslProvider.JDK)
            .trustManager(believed)
            .build();
    return ((JdkSslContext) context).context();
  }

  /**
   * Reads the files again when a handshake comes after a while; what cannot be read changes
   * nothing.
   */
  private static final class Renewed implements Supplier<ServingCertificate> {
    private final KeyFiles files;
    private final LongSupplier nanoTime;
    private ServingCertificate current;
    private long readAt;

    Renewed(KeyFiles files, LongSupplier nanoTime) throws IOException {
      this.files = files;
      this.nanoTime = nanoTime;
      this.current = files.certificate();
      this.readAt = nanoTime.getAsLong();
    }

    @Override
    public synchronized ServingCertificate get() {
      long now = nanoTime.getAsLong();
      if (now - readAt >= LOOK_AGAIN.toNanos()) {
        readAt = now;
        try {
          current = files.certificate();
        } catch (IOException e) {
          LOG.warn("the serving certificate stays as it is: {}", e.getMessage());
        }
      }
      return current;
    }
  }
}
