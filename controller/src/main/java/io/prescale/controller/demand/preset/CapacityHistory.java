package io.prescale.controller.demand.preset;

import io.prescale.controller.demand.prometheus.PrometheusClient;
import io.prescale.controller.demand.prometheus.PrometheusException;
import io.prescale.controller.demand.prometheus.RangeQuery;
import io.prescale.forecasting.DurationInWords;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalDouble;

/**
 * Estimates the capacity of one replica from a server's history.
 *
 * @param window the length of the history
 * @param resolution time between two samples
 */
public record CapacityHistory(PrometheusClient client, Duration window, Duration resolution) {
  public CapacityHistory {
    if (resolution.toSeconds() < 1 || window.compareTo(resolution) < 0) {
      throw new IllegalArgumentException(
          "the resolution is %s; it must be at least 1 s and at most the window, %s"
              .formatted(DurationInWords.of(resolution), DurationInWords.of(window)));
    }
  }

  /** Estimates what a replica carried while work waited for it; sends six queries. */
  public CapacityProposal propose(PresetQuery.Saturation saturation, PresetScope scope, Instant now)
      throws PrometheusException, InterruptedException {
    var queries = CapacityQueries.of(saturation, scope, window, resolution);
    var evidence =
        new CapacityProposal.Evidence(
            window,
            resolution.multipliedBy((long) value(queries.points(), now).orElse(0)),
            (int) value(queries.replicas(), now).orElse(0),
            value(queries.lowest(), now).orElse(0),
            value(queries.highest(), now).orElse(0),
            value(queries.mostSeen(), now));
    return new CapacityProposal(value(queries.typical(), now), evidence);
  }

  /** The value at one time; empty if there is none or it is not a number. */
  private OptionalDouble value(String promql, Instant at)
      throws PrometheusException, InterruptedException {
    var samples = client.range(new RangeQuery(promql, at, at, Duration.ofSeconds(1))).samples();
    if (samples.isEmpty() || !Double.isFinite(samples.getLast().value())) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(samples.getLast().value());
  }
}
