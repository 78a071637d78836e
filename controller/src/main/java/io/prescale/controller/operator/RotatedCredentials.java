package io.prescale.controller.operator;

import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.Reading.Missing;
import io.prescale.controller.autoscaling.Reading.Reason;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.demand.source.MetricSource;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/**
 * A source that has Secrets read anew once a server has refused what they held, so that the next
 * tick takes a credential that was rotated.
 */
record RotatedCredentials(MetricSource source, PrometheusServers servers) implements MetricSource {
  @Override
  public CompletableFuture<Reading> read(MetricQuery query, Instant after, Instant now) {
    return source
        .read(query, after, now)
        .thenApply(
            reading -> {
              if (reading instanceof Missing missing) {
                look(query, missing);
              }
              return reading;
            });
  }

  @Override
  public CompletableFuture<LatestReading> latest(MetricQuery query, Instant now) {
    return source
        .latest(query, now)
        .thenApply(
            reading -> {
              if (reading instanceof LatestReading.NotFound(var missing)) {
                look(query, missing);
              }
              return reading;
            });
  }

  @Override
  public CompletableFuture<HistoryReading> history(MetricQuery query, Instant from, Instant to) {
    return source
        .history(query, from, to)
        .thenApply(
            reading -> {
              if (reading instanceof HistoryReading.NotFound(var missing)) {
                look(query, missing);
              }
              return reading;
            });
  }

  private void look(MetricQuery query, Missing missing) {
    if (missing.reason() == Reason.ACCESS_DENIED && query.server().isNamedByUser()) {
      servers.rereadSecrets(query.namespace());
    }
  }
}
