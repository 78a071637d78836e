package io.prescale.controller.demand.source;

import io.prescale.controller.demand.prometheus.PrometheusServer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A query and the server that answers it. Equal queries of a namespace are sent once.
 *
 * @param namespace that asks, by which turns are shared fairly
 * @param promql gives one series
 * @param step between samples: those of the times that are whole multiples of it since the epoch
 */
public record MetricQuery(String namespace, PrometheusServer server, String promql, Duration step) {
  public MetricQuery {
    if (promql.isBlank()) {
      throw new IllegalArgumentException("The query is empty.");
    }
    if (!step.isPositive() || !step.equals(step.truncatedTo(ChronoUnit.SECONDS))) {
      throw new IllegalArgumentException("The step must be whole seconds: " + step);
    }
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

  /** The query for the number of series that this one adds up; empty when that is not certain. */
  public Optional<MetricQuery> countingSeries() {
    return SummedSeries.of(promql)
        .map(inner -> new MetricQuery(namespace, server, "count(" + inner + ")", step));
  }
}
