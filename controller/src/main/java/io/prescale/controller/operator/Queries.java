package io.prescale.controller.operator;

import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.demand.preset.Presets;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.source.MetricQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What is read for one target.
 *
 * @param demands by metric
 * @param series the numbers of series behind demands that are no one sum, by metric
 * @param leading the series that may show these before they come
 */
record Queries(
    Map<String, MetricQuery> demands, Map<String, MetricQuery> series, List<LeadingQuery> leading) {
  Queries {
    demands = new LinkedHashMap<>(demands);
    series = Map.copyOf(series);
    leading = List.copyOf(leading);
  }

  /** What a resource asks a server for. */
  static Queries of(PredictiveHPA resource, PrometheusServer server, Duration step) {
    var namespace = resource.getMetadata().getNamespace();
    var demands = new LinkedHashMap<String, MetricQuery>();
    var series = new HashMap<String, MetricQuery>();
    var leading = new ArrayList<LeadingQuery>();
    for (var metric : resource.getSpec().forecastMetrics()) {
      var promql = Presets.promql(metric, namespace);
      demands.put(metric.name(), new MetricQuery(namespace, server, promql, step));
      Presets.series(metric, namespace)
          .map(it -> new MetricQuery(namespace, server, it, step))
          .ifPresent(it -> series.put(metric.name(), it));
      for (var before : metric.leading()) {
        var query = new MetricQuery(namespace, server, before.query(), step, true);
        leading.add(new LeadingQuery(metric.name(), before.name(), query));
      }
    }
    return new Queries(demands, series, leading);
  }

  /** The namespace that asks; empty if there is nothing to ask. */
  String namespace() {
    return demands.values().stream().map(MetricQuery::namespace).findFirst().orElse("");
  }

  /** The query for a metric's demand. */
  MetricQuery demand(String metric) {
    return Objects.requireNonNull(demands.get(metric));
  }

  /** The query for the number of series behind a metric; empty when it is not certain. */
  Optional<MetricQuery> countingSeries(String metric) {
    return Optional.ofNullable(series.get(metric)).or(demand(metric)::countingSeries);
  }

  /** Whether other queries have the same answers, whatever their credentials. */
  boolean haveSameAnswersAs(Queries other) {
    return demands.keySet().equals(other.demands.keySet())
        && demands.keySet().stream().allMatch(it -> demand(it).hasSameAnswerAs(other.demand(it)))
        && leading.size() == other.leading.size()
        && IntStream.range(0, leading.size())
            .allMatch(i -> isSame(leading.get(i), other.leading.get(i)));
  }

  private static boolean isSame(LeadingQuery one, LeadingQuery other) {
    return one.metric().equals(other.metric())
        && one.name().equals(other.name())
        && one.query().hasSameAnswerAs(other.query());
  }
}
