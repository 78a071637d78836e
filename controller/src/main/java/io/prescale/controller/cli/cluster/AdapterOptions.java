package io.prescale.controller.cli.cluster;

import io.prescale.adapter.identity.ReviewTtl;
import io.prescale.adapter.server.Listener;
import io.prescale.controller.certificates.Certificates;
import io.prescale.controller.cli.options.Names;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.serving.AdapterSettings;
import io.prescale.controller.serving.AdapterSettings.PassThrough;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How the external metrics API is served, if it is. */
final class AdapterOptions {
  @Option(
      names = "--adapter-only",
      description = "Serves and never leads: another replica must publish the values.")
  boolean only;

  @Option(names = "--no-adapter", description = "Serves nothing: another replica must.")
  boolean none;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Address to listen on (default: ${DEFAULT-VALUE}).")
  String host = "0.0.0.0";

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Port to listen on with TLS (default: ${DEFAULT-VALUE}).")
  int port = 6443;

  @Option(
      names = "--service",
      paramLabel = "NAMESPACE/NAME",
      description = "The Service in front, which the APIService names (default: ${DEFAULT-VALUE}).")
  String service = "prescale/prescale";

  @Option(
      names = "--service-port",
      paramLabel = "N",
      description = "Its port (default: ${DEFAULT-VALUE}).")
  int servicePort = 443;

  @Option(
      names = "--review-ttl",
      paramLabel = "DURATION",
      description =
          "How long a reader that the cluster has authenticated and authorized is not reviewed"
              + " again, up to 5m; a withdrawn right works that long. More than twice the HPA's 15s"
              + " saves reviews (default: ${DEFAULT-VALUE}).",
      defaultValue = "1m")
  Duration reviewTtl = Duration.ofMinutes(1);

  @Option(
      names = "--no-register",
      description = "Leaves the APIService as the installation made it.")
  boolean noRegister;

  @Option(
      names = "--pass-through",
      paramLabel = "MODE",
      description =
          "Whether to take the APIService over from another adapter and pass requests for its"
              + " metrics on to it: none, verified (it must be known by its certificate) or"
              + " unverified (default: ${DEFAULT-VALUE}). The API goes back with prescale"
              + " give-back.")
  String passThrough = "none";

  @Option(
      names = "--tls-cert-file",
      paramLabel = "FILE",
      description =
          "Serving certificate with its chain (PEM), read again when it changes; without it, one is"
              + " made and rotated in the Secret --tls-secret.")
  @Nullable Path certificateFile;

  @Option(
      names = "--tls-key-file",
      paramLabel = "FILE",
      description = "Its private key (PEM, PKCS #8).")
  @Nullable Path keyFile;

  @Option(
      names = "--tls-ca-file",
      paramLabel = "FILE",
      description = "CA certificates for the APIService's caBundle (PEM).")
  @Nullable Path caFile;

  @Option(
      names = "--tls-secret",
      paramLabel = "NAME",
      description =
          "Secret, in the service's namespace, for the certificate that is made (default:"
              + " ${DEFAULT-VALUE}).")
  String secret = "prescale-tls";

  void requireSense() {
    if (only && none) {
      throw new UsageException("--adapter-only and --no-adapter leave nothing to do; choose one.");
    }
    UsageException.unlessTogether("--tls-cert-file", certificateFile, "--tls-key-file", keyFile);
    if (caFile != null && certificateFile == null) {
      throw new UsageException("--tls-ca-file needs --tls-cert-file and --tls-key-file.");
    }
    if (passThrough() != PassThrough.NONE && noRegister) {
      throw new UsageException("--pass-through needs the registration; leave --no-register out.");
    }
    UsageException.requireWithin("--port", port, 1, Listener.HIGHEST_PORT);
    UsageException.requireWithin("--service-port", servicePort, 1, Listener.HIGHEST_PORT);
    UsageException.requireWithin("--review-ttl", reviewTtl, Duration.ZERO, ReviewTtl.LONGEST);
    requireServiceName(service);
  }

  static void requireServiceName(String service) {
    if (!service.matches("[a-z0-9-]+/[a-z0-9-]+")) {
      throw new UsageException(
          "--service is \"%s\"; write NAMESPACE/NAME, such as prescale/prescale."
              .formatted(service));
    }
  }

  static void requireName(String option, String name) {
    if (!name.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
      throw new UsageException(
          "%s is \"%s\"; write lower-case letters, digits and - between them."
              .formatted(option, name));
    }
  }

  /** How external metrics are served; empty when they are not. */
  Optional<AdapterSettings> settings(String identity) {
    if (none) {
      return Optional.empty();
    }
    int slash = service.indexOf('/');
    var version =
        Optional.ofNullable(AdapterOptions.class.getPackage().getImplementationVersion())
            .orElse("0.0.0");
    return Optional.of(
        UsageException.unlessValid(
            () ->
                new AdapterSettings(
                    host,
                    port,
                    service.substring(0, slash),
                    service.substring(slash + 1),
                    servicePort,
                    certificates(),
                    new ReviewTtl(reviewTtl),
                    !noRegister,
                    passThrough(),
                    version,
                    identity)));
  }

  private PassThrough passThrough() {
    return UsageException.unlessValid(
        "--pass-through", () -> Names.find("mode", passThrough, PassThrough.class));
  }

  private Certificates certificates() {
    return certificateFile == null || keyFile == null
        ? new Certificates.SelfMade(secret)
        : new Certificates.FromFiles(certificateFile, keyFile, Optional.ofNullable(caFile));
  }
}
