package io.prescale.controller.cli.cluster;

import io.prescale.adapter.server.Listener;
import io.prescale.controller.certificates.ServerTls;
import io.prescale.controller.cli.options.UnreachableException;
import io.prescale.controller.cli.options.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the extender listens, and who may ask it. */
final class ListenOptions {
  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Address to listen on (default: ${DEFAULT-VALUE}).")
  String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Port to listen on (default: ${DEFAULT-VALUE}).")
  int port = 8888;

  @Option(
      names = "--metrics-port",
      paramLabel = "N",
      description =
          "Port where every caller may read /metrics, /problems and /health, on every address and"
              + " without TLS (default: only --port has them).")
  private @Nullable Integer metricsPort;

  @Option(
      names = "--tls-cert-file",
      paramLabel = "FILE",
      description = "Serving certificate with its chain (PEM); without it, plain HTTP.")
  private @Nullable Path certificateFile;

  @Option(names = "--tls-key-file", paramLabel = "FILE", description = "Its private key (PEM).")
  private @Nullable Path keyFile;

  @Option(
      names = "--client-ca-file",
      paramLabel = "FILE",
      description = "Only who shows a certificate of these authorities (PEM) may ask.")
  private @Nullable Path clientAuthorities;

  void requireSense() {
    UsageException.requireWithin("--port", port, 0, Listener.HIGHEST_PORT);
    int metrics = metricsPort().orElse(0);
    UsageException.requireWithin("--metrics-port", metrics, 0, Listener.HIGHEST_PORT);
    if (port > 0 && metrics == port) {
      throw new UsageException(
          "--port and --metrics-port are both %d; give different ones.".formatted(port));
    }
  }

  /** The port for those who only watch; empty where only the main one has metrics. */
  OptionalInt metricsPort() {
    return metricsPort == null ? OptionalInt.empty() : OptionalInt.of(metricsPort);
  }

  /** Whether a caller has to show a certificate. */
  boolean namesClients() {
    return clientAuthorities != null;
  }

  /** What the server shows and asks for; empty without a certificate. */
  Optional<SSLContext> tls() {
    UsageException.unlessTogether("--tls-cert-file", certificateFile, "--tls-key-file", keyFile);
    if (clientAuthorities != null && certificateFile == null) {
      throw new UsageException("--client-ca-file needs --tls-cert-file and --tls-key-file.");
    }
    if (certificateFile == null || keyFile == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          ServerTls.context(
              certificateFile, keyFile, Optional.ofNullable(clientAuthorities), System::nanoTime));
    } catch (IOException e) {
      throw UnreachableException.because("TLS", e);
    }
  }
}
