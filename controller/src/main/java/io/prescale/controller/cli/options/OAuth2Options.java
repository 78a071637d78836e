package io.prescale.controller.cli.options;

import io.prescale.controller.demand.prometheus.ClientCredentials;
import io.prescale.controller.demand.prometheus.PemSource;
import io.prescale.controller.demand.prometheus.TlsOptions;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A token server, and the client that it gives access tokens for Prometheus to. */
@Needs("--oauth2-token-url")
public final class OAuth2Options {
  @Needs("--prometheus")
  @Option(
      names = "--oauth2-token-url",
      paramLabel = "URL",
      description =
          "Token server that gives access tokens for the server (OAuth 2.0 client credentials).")
  @Nullable URI tokenUrl;

  @Option(names = "--oauth2-client-id", paramLabel = "ID", description = "The client's ID.")
  @Nullable String clientId;

  @Option(
      names = "--oauth2-client-secret-file",
      paramLabel = "FILE",
      description = "File with the client's secret.")
  @Nullable Path clientSecretFile;

  @Option(
      names = "--oauth2-scope",
      paramLabel = "SCOPE",
      description = "Scope to ask for, several with spaces between them.")
  @Nullable String scope;

  @Option(
      names = "--oauth2-audience",
      paramLabel = "AUDIENCE",
      description = "Audience to ask for, where the token server wants one.")
  @Nullable String audience;

  @Option(
      names = "--oauth2-ca-file",
      paramLabel = "FILE",
      description = "CA certificates to trust for the token server instead of the system's (PEM).")
  @Nullable Path caFile;

  /** The client with the current secret, if a token server is named. */
  public Optional<ClientCredentials> client() {
    if (tokenUrl == null) {
      return Optional.empty();
    }
    var at = tokenUrl;
    var id = clientId;
    var secret = new Secret("client's secret", clientSecretFile, null).read(Map.of());
    if (id == null || secret.isEmpty()) {
      throw new UsageException(
          "--oauth2-token-url needs --oauth2-client-id and --oauth2-client-secret-file.");
    }
    var ca = Optional.ofNullable(caFile).<PemSource>map(PemSource.InFile::new);
    return Optional.of(
        UsageException.unlessValid(
            () ->
                new ClientCredentials(
                    at,
                    id,
                    secret.get(),
                    Optional.ofNullable(scope),
                    Optional.ofNullable(audience),
                    new TlsOptions(ca, false, Optional.empty()))));
  }
}
