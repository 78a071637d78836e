package io.prescale.controller.demand.preset;

import io.prescale.controller.demand.prometheus.PrometheusClient;
import io.prescale.controller.demand.prometheus.PrometheusException;
import io.prescale.controller.demand.prometheus.RangeQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalDouble;

/**
 * Estimates from a server's history what one replica carries.
 *
 * @param window how far to look back
 * @param resolution time between two looks
 */
public record CapacityHistory(PrometheusClient client, Duration window, Duration resolution) {
  public CapacityHistory {
    if (resolution.toSeconds() < 1 || window.compareTo(resolution) < 0) {
      throw new IllegalArgumentException(
          "window and resolution must be at least a second and descend: %s, %s"
              .formatted(window, resolution));
    }
  }

  /** What one replica carried at times at which work waited for it. Six queries. */
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

  /** The value at one time; empty where there is none, or no number. */
  private OptionalDouble value(String promql, Instant at)
      throws PrometheusException, InterruptedException {
    var samples = client.range(new RangeQuery(promql, at, at, Duration.ofSeconds(1))).samples();
    if (samples.isEmpty() || !Double.isFinite(samples.getLast().value())) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(samples.getLast().value());
  }
}
