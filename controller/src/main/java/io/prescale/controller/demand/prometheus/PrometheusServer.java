package io.prescale.controller.demand.prometheus;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A server and the credentials for it.
 *
 * @param url the base URL, to which {@code /api/v1} is appended, such as {@code
 *     https://mimir:8080/prometheus}
 * @param headers additional headers of every request, in this order
 * @param allowed which servers may be named, if a user names this one; its words are then repeated
 *     nowhere, since they may come from anything that answers at that address
 */
public record PrometheusServer(
    URI url,
    Credentials credentials,
    List<Header> headers,
    TlsOptions tls,
    Optional<AllowedServers> allowed) {
  static final int HIGHEST_PORT = 65_535;

  public PrometheusServer {
    var scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
    if (!(scheme.equals("http") || scheme.equals("https"))
        || url.getHost() == null
        || url.getPort() > HIGHEST_PORT) {
      throw new IllegalArgumentException(
          "The URL %s is not the URL of a server; write one such as http://localhost:9090."
              .formatted(withoutUserInfo(url)));
    }
    if (url.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          "The URL %s contains a user or password, where others can see them; give them separately."
              .formatted(withoutUserInfo(url)));
    }
    if (url.getRawQuery() != null || url.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "The URL %s has a query or a fragment; remove everything after the path.".formatted(url));
    }
    headers = List.copyOf(headers);
  }

  /** A server of an administrator, or of the person who runs the program. */
  public PrometheusServer(URI url, Credentials credentials, List<Header> headers, TlsOptions tls) {
    this(url, credentials, headers, tls, Optional.empty());
  }

  /** Whether the owner of a PredictiveHPA named it. */
  public boolean isNamedByUser() {
    return allowed.isPresent();
  }

  /** A server that needs no credentials. */
  public static PrometheusServer at(URI url) {
    return new PrometheusServer(url, new Credentials.None(), List.of(), TlsOptions.system());
  }

  /** The same, asked through its prom-label-proxy for the series of one namespace alone. */
  public PrometheusServer withEnforcedNamespace(String namespace) {
    var more = Stream.concat(headers.stream(), Stream.of(Header.enforcedNamespace(namespace)));
    return new PrometheusServer(url, credentials, more.toList(), tls, allowed);
  }

  /** The namespace whose series alone a query finds there; empty if it finds all. */
  public Optional<String> enforcedNamespace() {
    return headers.stream().filter(Header::isEnforcedNamespace).map(Header::value).findFirst();
  }

  URI endpoint(String path) {
    var base = url.toString();
    return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path);
  }

  private static String withoutUserInfo(URI url) {
    var userInfo = url.getRawUserInfo();
    return userInfo == null ? url.toString() : url.toString().replace(userInfo + "@", "…@");
  }
}
