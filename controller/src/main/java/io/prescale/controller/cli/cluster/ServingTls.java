package io.prescale.controller.cli.cluster;

import io.prescale.controller.certificates.ServerTls;
import io.prescale.controller.cli.options.UsageException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** TLS of a server by the files that options name. */
final class ServingTls {
  private ServingTls() {}

  /** Empty without a certificate. */
  static Optional<SSLContext> of(
      @Nullable Path certificate, @Nullable Path key, @Nullable Path clientAuthorities) {
    if (certificate == null || key == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          ServerTls.context(
              certificate, key, Optional.ofNullable(clientAuthorities), System::nanoTime));
    } catch (NoSuchFileException e) {
      throw new UsageException("There is no file %s.".formatted(e.getFile()));
    } catch (IOException e) {
      throw new UsageException("TLS: %s.".formatted(e.getMessage()));
    }
  }
}
