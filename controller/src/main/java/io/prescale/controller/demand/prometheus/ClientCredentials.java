package io.prescale.controller.demand.prometheus;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a token server gives an access token for, by OAuth 2.0's client credentials (RFC 6749,
 * section 4.4). {@code toString} does not show the secret.
 *
 * @param tokenUrl of the token server, {@code https}
 * @param scope to ask for, several with spaces between them
 * @param audience to ask for, where the token server wants one
 * @param tls for the token server
 */
public record ClientCredentials(
    URI tokenUrl,
    String clientId,
    String clientSecret,
    Optional<String> scope,
    Optional<String> audience,
    TlsOptions tls)
    implements Credentials {
  /** RFC 6749, appendix A.4, with spaces. */
  private static final Pattern SCOPE = Pattern.compile("[!#-\\[\\]-~ ]+");

  public ClientCredentials {
    var server = PrometheusServer.at(tokenUrl); // refuses what is no URL of a server
    if (!server.url().getScheme().equalsIgnoreCase("https")) {
      throw new IllegalArgumentException(
          "The token URL %s is not https; a client's secret is sent there.".formatted(tokenUrl));
    }
    if (clientId.isBlank() || clientSecret.isBlank()) {
      throw new IllegalArgumentException("The client's ID or its secret is empty.");
    }
    if (scope.isPresent() && !SCOPE.matcher(scope.get()).matches()) {
      throw new IllegalArgumentException("The scope is empty, or contains a quote.");
    }
  }

  /** A token has to be fetched first. */
  @Override
  public Optional<String> authorization() {
    return Optional.empty();
  }

  @Override
  public String toString() {
    return "ClientCredentials[tokenUrl=%s, clientId=%s, clientSecret=…]"
        .formatted(tokenUrl, clientId);
  }
}
