package io.prescale.controller.demand.source;

import static java.util.regex.Pattern.CASE_INSENSITIVE;

import io.prescale.controller.demand.prometheus.PrometheusServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A query and the server that answers it. Equal queries of a namespace are sent once.
 *
 * @param namespace that asks, by which turns are shared fairly
 * @param promql gives one series
 * @param step between samples: those of the times that are whole multiples of it since the epoch
 * @param isSpare whether decisions can do without it; it then has turns and back-off of its own, so
 *     that it cannot hold up what they need
 */
public record MetricQuery(
    String namespace, PrometheusServer server, String promql, Duration step, boolean isSpare) {
  /** A query that decisions need. */
  public MetricQuery(String namespace, PrometheusServer server, String promql, Duration step) {
    this(namespace, server, promql, step, false);
  }

  /**
   * prom-label-proxy (0.15) leaves selectors in the parameter of an aggregation as they are. Only
   * {@code scalar} turns what they find into a parameter.
   */
  private static final Pattern WITH_PARAMETER =
      Pattern.compile("\\b(topk|bottomk|quantile|limitk|limit_ratio)\\b", CASE_INSENSITIVE);

  private static final Pattern SCALAR = Pattern.compile("\\bscalar\\b", CASE_INSENSITIVE);

  public MetricQuery {
    if (promql.isBlank()) {
      throw new IllegalArgumentException("The query is empty.");
    }
    if (!step.isPositive() || !step.equals(step.truncatedTo(ChronoUnit.SECONDS))) {
      throw new IllegalArgumentException("The step must be whole seconds: " + step);
    }
    if (server.enforcedNamespace().isPresent()
        && SCALAR.matcher(promql).find()
        && WITH_PARAMETER.matcher(promql).find()) {
      throw new IllegalArgumentException(
          "A query that finds series of its own namespace alone cannot combine scalar() with topk,"
              + " bottomk, quantile, limitk or limit_ratio; do without one of them, or record its"
              + " result by a rule.");
    }
  }

  /** By which turns are shared and failures are counted. */
  String turns() {
    return isSpare ? namespace + " (spare)" : namespace;
  }

  /**
   * Whether another query has the same answer: same server and PromQL, whatever the credentials.
   */
  public boolean hasSameAnswerAs(MetricQuery other) {
    return promql.equals(other.promql)
        && step.equals(other.step)
        && server.url().equals(other.server.url())
        && server.headers().equals(other.server.headers());
  }

  /** A number that is equal for queries with the same answer, in this process and in others. */
  public long fingerprint() {
    var text = List.of(promql, step, server.url(), server.headers()).toString();
    return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).getMostSignificantBits();
  }

  /** The query for the number of series that this one adds up; empty when that is not certain. */
  public Optional<MetricQuery> countingSeries() {
    return SummedSeries.of(promql)
        .map(inner -> new MetricQuery(namespace, server, "count(" + inner + ")", step));
  }
}
