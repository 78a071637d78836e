package io.prescale.controller.cli.cluster;

import io.prescale.adapter.server.Listener;
import io.prescale.controller.certificates.Pem;
import io.prescale.controller.cli.options.Needs;
import io.prescale.controller.cli.options.UnreachableException;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.serving.KedaSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How KEDA is answered, if it is. */
final class KedaOptions {
  private static final String USUAL_CLIENT = "keda-operator";

  @Option(
      names = "--keda-port",
      paramLabel = "N",
      description =
          "Port for KEDA's triggers of type external (gRPC with TLS), 0 for none (default:"
              + " ${DEFAULT-VALUE}). It shows the certificate of the external metrics API.")
  int port;

  @Option(
      names = "--keda-ca-file",
      paramLabel = "FILE",
      description =
          "CA certificates that sign the client certificates of KEDA's operator (PEM), read at the"
              + " start.")
  @Nullable Path authorities;

  @Needs("--keda-port")
  @Option(
      names = "--keda-client",
      paramLabel = "NAME",
      description =
          "Name of a client certificate that may call, its CN or a name of DNS or URI; may be"
              + " repeated (default: "
              + USUAL_CLIENT
              + ").")
  List<String> clients = List.of(USUAL_CLIENT);

  void requireSense(boolean serves) {
    if (port == 0) {
      if (authorities != null) {
        throw new UsageException("--keda-ca-file needs --keda-port.");
      }
      return;
    }
    UsageException.requireWithin("--keda-port", port, 0, Listener.HIGHEST_PORT);
    if (authorities == null) {
      throw new UsageException(
          "--keda-port needs --keda-ca-file: KEDA is known by its client certificate alone.");
    }
    if (!serves) {
      throw new UsageException("--keda-port and --no-adapter exclude each other; choose one.");
    }
  }

  /** How KEDA is answered; empty when it is not. */
  Optional<KedaSettings> settings(String host) {
    if (port == 0 || authorities == null) {
      return Optional.empty();
    }
    var read = read(authorities);
    return Optional.of(
        UsageException.unlessValid(() -> new KedaSettings(host, port, read, Set.copyOf(clients))));
  }

  private static List<X509Certificate> read(Path file) {
    try {
      return Pem.certificates(Files.readString(file));
    } catch (IOException e) {
      throw UnreachableException.ofFile("--keda-ca-file", file, e);
    }
  }
}
