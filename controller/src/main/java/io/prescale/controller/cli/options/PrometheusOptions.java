package io.prescale.controller.cli.options;

import io.prescale.controller.demand.prometheus.PrometheusHistory;
import io.prescale.controller.demand.prometheus.RangeQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which history to read from which Prometheus server, and how to authenticate. */
@Needs("--prometheus")
final class PrometheusOptions extends ServerOptions {
  @Option(
      names = "--query",
      paramLabel = "PROMQL",
      description =
          "The demand as one series, such as%nsum(rate(http_requests_total{app=\"chat\"}[1m])).")
  @Nullable String query;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Start of the history: 14d (ago, the default), a time, or Unix seconds.",
      defaultValue = "14d")
  Moment since = new Moment.Ago(Duration.ofDays(14));

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "End of the history (default: now).",
      defaultValue = "now")
  Moment until = new Moment.Ago(Duration.ZERO);

  @Option(
      names = "--query-step",
      paramLabel = "DURATION",
      description = "Time between two points of the history (default: ${DEFAULT-VALUE}).",
      defaultValue = "1m")
  Duration step = Duration.ofMinutes(1);

  @Option(
      names = "--max-points",
      paramLabel = "N",
      description = "Points per request, for servers with a limit below 11,000.")
  int maxPoints = PrometheusHistory.MOST_POINTS;

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
    UsageException.requirePositive("--query-step", step);
    UsageException.requireAtLeast("--max-points", maxPoints, 1);
    var server = server(url, environment);
    var range = range(query, now, zone);
    return UsageException.unlessValid(
        () -> new PrometheusHistory(server, patience(), range, maxPoints, progress));
  }

  /**
   * Aligns the range to the step, so that steps start on the clock minute and servers can cache
   * answers.
   */
  private RangeQuery range(String promql, Instant now, ZoneId zone) {
    long stepMillis = Math.max(1, step.toMillis());
    long to = Math.floorDiv(until.resolve(now, zone).toEpochMilli(), stepMillis) * stepMillis;
    long from = Math.ceilDiv(since.resolve(now, zone).toEpochMilli(), stepMillis) * stepMillis;
    if (to < from) {
      throw new UsageException(
          "--since begins at %s, after the end by --until, %s; a length such as 14d counts back from now, so write the time at which the history begins."
              .formatted(Instant.ofEpochMilli(from), Instant.ofEpochMilli(to)));
    }
    return UsageException.unlessValid(
        "--query",
        () -> new RangeQuery(promql, Instant.ofEpochMilli(from), Instant.ofEpochMilli(to), step));
  }
}
