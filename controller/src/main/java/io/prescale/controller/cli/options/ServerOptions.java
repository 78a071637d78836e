package io.prescale.controller.cli.options;

import io.prescale.controller.demand.prometheus.Credentials;
import io.prescale.controller.demand.prometheus.Header;
import io.prescale.controller.demand.prometheus.Patience;
import io.prescale.controller.demand.prometheus.PemSource;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.TlsOptions;
import io.prescale.controller.demand.prometheus.TlsOptions.ClientCertificate;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Which Prometheus server to query, and how to authenticate. */
@Needs("--prometheus")
public class ServerOptions {
  @Option(
      names = "--prometheus",
      paramLabel = "URL",
      description =
          "URL of Prometheus, Thanos, Mimir or VictoriaMetrics, up to but without /api/v1.")
  public @Nullable URI url;

  @Needs({"--prometheus", "--weeks"})
  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "Timeout of one request (default: ${DEFAULT-VALUE}).",
      defaultValue = "2m")
  Duration timeout = Duration.ofMinutes(2);

  @Option(names = "--token-file", paramLabel = "FILE", description = "File with a bearer token.")
  @Nullable Path tokenFile;

  @Option(
      names = "--token-env",
      paramLabel = "NAME",
      description = "Environment variable with a bearer token.")
  @Nullable String tokenVariable;

  @Option(names = "--user", paramLabel = "NAME", description = "User for basic authentication.")
  @Nullable String user;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "File with that user's password.")
  @Nullable Path passwordFile;

  @Option(
      names = "--password-env",
      paramLabel = "NAME",
      description = "Environment variable with that user's password.")
  @Nullable String passwordVariable;

  @ArgGroup(validate = false, multiplicity = "1")
  OAuth2Options oauth2 = new OAuth2Options();

  @Option(
      names = "--tenant",
      paramLabel = "ID",
      description = "Tenant of Mimir or Cortex (header X-Scope-OrgID).")
  @Nullable String tenant;

  @Option(
      names = "--header",
      paramLabel = "'NAME: VALUE'",
      description = "Additional header to send; may be repeated.")
  List<String> headers = List.of();

  @Option(
      names = "--ca-file",
      paramLabel = "FILE",
      description = "CA certificates to trust instead of the system's (PEM).")
  @Nullable Path caFile;

  @Option(names = "--cert-file", paramLabel = "FILE", description = "Client certificate (PEM).")
  @Nullable Path certificateFile;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "Private key of the client certificate (PEM, PKCS #8).")
  @Nullable Path keyFile;

  @Option(
      names = "--insecure",
      description = "Accepts any server certificate, without verification.")
  boolean insecure;

  /** Whether a server is named. */
  public boolean given() {
    return url != null;
  }

  public PrometheusServer server(URI at, Map<String, String> environment) {
    var credentials = credentials(environment);
    var allHeaders = UsageException.unlessValid(this::headers);
    var tls = UsageException.unlessValid(this::tls);
    return UsageException.unlessValid(
        "--prometheus", () -> new PrometheusServer(at, credentials, allHeaders, tls));
  }

  /** How long to wait for the server. */
  public Patience patience() {
    UsageException.requirePositive("--timeout", timeout);
    return Patience.defaults().withAnswer(timeout);
  }

  private Credentials credentials(Map<String, String> environment) {
    var token = new Secret("bearer token", tokenFile, tokenVariable).read(environment);
    var password = new Secret("password", passwordFile, passwordVariable).read(environment);
    var client = oauth2.client();
    if (token.isPresent() && user != null) {
      throw new UsageException("A bearer token and --user cannot be combined; choose one.");
    }
    if (client.isPresent() && (token.isPresent() || user != null)) {
      throw new UsageException(
          "--oauth2-token-url and other credentials cannot be combined; choose one.");
    }
    if ((user != null) != password.isPresent()) {
      throw new UsageException(
          "Basic authentication needs --user and one of --password-file and --password-env.");
    }
    return UsageException.unlessValid(
        () -> {
          if (user != null) {
            return new Credentials.Basic(user, password.orElseThrow());
          }
          if (client.isPresent()) {
            return client.get();
          }
          return token.isPresent() ? new Credentials.Bearer(token.get()) : new Credentials.None();
        });
  }

  private List<Header> headers() {
    var all = new ArrayList<Header>();
    if (tenant != null) {
      all.add(Header.tenant(tenant));
    }
    for (var header : headers) {
      int colon = header.indexOf(':');
      if (colon < 0) {
        throw new UsageException("A --header needs a colon, as in --header 'X-Name: value'.");
      }
      all.add(new Header(header.substring(0, colon).strip(), header.substring(colon + 1).strip()));
    }
    return all;
  }

  private TlsOptions tls() {
    UsageException.unlessTogether("--cert-file", certificateFile, "--key-file", keyFile);
    var client =
        certificateFile == null || keyFile == null
            ? Optional.<ClientCertificate>empty()
            : Optional.of(
                new ClientCertificate(
                    new PemSource.InFile(certificateFile), new PemSource.InFile(keyFile)));
    return new TlsOptions(Optional.ofNullable(caFile).map(PemSource.InFile::new), insecure, client);
  }
}
