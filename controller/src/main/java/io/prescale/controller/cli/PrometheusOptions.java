package io.prescale.controller.cli;

import io.prescale.controller.prometheus.Credentials;
import io.prescale.controller.prometheus.Header;
import io.prescale.controller.prometheus.Patience;
import io.prescale.controller.prometheus.PrometheusHistory;
import io.prescale.controller.prometheus.PrometheusServer;
import io.prescale.controller.prometheus.RangeQuery;
import io.prescale.controller.prometheus.TlsOptions;
import io.prescale.controller.prometheus.TlsOptions.ClientCertificate;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which server to ask, for what, and how to be let in. */
final class PrometheusOptions {
  @Option(
      names = "--prometheus",
      paramLabel = "URL",
      description = "Prometheus, Thanos, Mimir or VictoriaMetrics; the URL before /api/v1.")
  @Nullable URI url;

  @Option(
      names = "--query",
      paramLabel = "PROMQL",
      description =
          "The demand, as one series: sum(rate(http_requests_total{app=\"chat\"}[1m])) for one.")
  @Nullable String query;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Where the history begins: 14d (ago, the default), a time, or Unix seconds.",
      defaultValue = "14d")
  Moment since = new Moment.Ago(Duration.ofDays(14));

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Where it ends (default: now).",
      defaultValue = "now")
  Moment until = new Moment.Ago(Duration.ZERO);

  @Option(
      names = "--query-step",
      paramLabel = "DURATION",
      description = "Time between two points (default: ${DEFAULT-VALUE}).",
      defaultValue = "1m")
  Duration step = Duration.ofMinutes(1);

  @Option(
      names = "--max-points",
      paramLabel = "N",
      description = "Points to ask for at once, for servers with a lower limit than 11,000.",
      defaultValue = "11000")
  int maxPoints = PrometheusHistory.MOST_POINTS;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "How long to wait for one answer (default: ${DEFAULT-VALUE}).",
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

  @Option(
      names = "--tenant",
      paramLabel = "ID",
      description = "Tenant of Mimir or Cortex (header X-Scope-OrgID).")
  @Nullable String tenant;

  @Option(
      names = "--header",
      paramLabel = "'NAME: VALUE'",
      description = "Another header to send; may be repeated.")
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
      description = "Its private key (PEM, PKCS #8).")
  @Nullable Path keyFile;

  @Option(names = "--insecure", description = "Trust any server's certificate.")
  boolean insecure;

  /** Whether the history is to come from here. */
  boolean given() {
    return url != null;
  }

  /** Whether something is set that means nothing without a server. */
  boolean anyButUrl() {
    return query != null
        || tokenFile != null
        || tokenVariable != null
        || user != null
        || tenant != null;
  }

  PrometheusHistory history(
      Map<String, String> environment,
      Instant now,
      ZoneId zone,
      PrometheusHistory.Progress progress) {
    if (url == null || query == null) {
      throw new UsageException(
          "--prometheus needs --query: the PromQL expression whose value is the demand, such as"
              + " --query 'sum(rate(http_requests_total{app=\"chat\"}[1m]))'.");
    }
    var server = server(url, environment);
    var range = range(query, now, zone);
    return UsageException.unlessValid(
        () ->
            new PrometheusHistory(
                server, Patience.defaults().withAnswer(timeout), range, maxPoints, progress));
  }

  private PrometheusServer server(URI at, Map<String, String> environment) {
    var credentials = credentials(environment);
    return UsageException.unlessValid(
        () -> new PrometheusServer(at, credentials, headers(), tls()));
  }

  /** Aligned to the step, so that steps are clock minutes and servers can cache. */
  private RangeQuery range(String promql, Instant now, ZoneId zone) {
    long stepMillis = Math.max(1, step.toMillis());
    long to = Math.floorDiv(until.resolve(now, zone).toEpochMilli(), stepMillis) * stepMillis;
    long from = Math.ceilDiv(since.resolve(now, zone).toEpochMilli(), stepMillis) * stepMillis;
    return UsageException.unlessValid(
        () -> new RangeQuery(promql, Instant.ofEpochMilli(from), Instant.ofEpochMilli(to), step));
  }

  private Credentials credentials(Map<String, String> environment) {
    var token = new Secret("bearer token", tokenFile, tokenVariable).read(environment);
    var password = new Secret("password", passwordFile, passwordVariable).read(environment);
    if (token.isPresent() && user != null) {
      throw new UsageException("A bearer token and --user are two ways in; choose one.");
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
    if ((certificateFile == null) != (keyFile == null)) {
      throw new UsageException("--cert-file and --key-file belong together; give both.");
    }
    var client =
        certificateFile == null || keyFile == null
            ? Optional.<ClientCertificate>empty()
            : Optional.of(new ClientCertificate(certificateFile, keyFile));
    return new TlsOptions(Optional.ofNullable(caFile), insecure, client);
  }
}
