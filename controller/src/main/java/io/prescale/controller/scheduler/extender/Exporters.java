package io.prescale.controller.scheduler.extender;

import io.prescale.controller.demand.prometheus.PrometheusClient;
import io.prescale.controller.demand.prometheus.PrometheusException;
import io.prescale.controller.demand.prometheus.RangeQuery;
import io.prescale.placement.inventory.ExporterReadings.Series;
import io.prescale.placement.inventory.SeriesMatchers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What exporters report of cards.
 *
 * @param prometheus that scrapes them
 * @param selector which of its series are theirs
 */
public record Exporters(PrometheusClient prometheus, SeriesMatchers selector) {
  /** The series that a query has at a moment. */
  List<Series> series(String query, Instant now) throws PrometheusException, InterruptedException {
    return prometheus
        .range(new RangeQuery(query, now, now, Duration.ofSeconds(1)))
        .latest()
        .stream()
        .map(latest -> new Series(latest.labels().values(), latest.value()))
        .toList();
  }
}
