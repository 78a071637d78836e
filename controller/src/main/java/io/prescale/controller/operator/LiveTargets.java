package io.prescale.controller.operator;

import io.prescale.controller.api.v1alpha1.MetricEntry;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.autoscaling.TargetSettings;
import io.prescale.controller.demand.preset.Presets;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.operator.PrometheusServers.Unusable;
import io.prescale.controller.operator.hpa.HpaFeatures;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * The targets that this process has worked on, by the UID of their PredictiveHPA. They outlive a
 * term of leadership, so that a returning leader need not learn anew. Thread-safe.
 */
public final class LiveTargets {
  /** Ticks are spread over so much of a step, at most so long. */
  private static final int SPREAD = 4;

  private static final Duration LONGEST_SPREAD = Duration.ofSeconds(10);

  private final SpecReader specs;
  private final PrometheusServers servers;
  private final MetricSource source;
  private final Executor fits;
  private final Map<String, LiveTarget> targets = new ConcurrentHashMap<>();

  /**
   * No targets yet.
   *
   * @param fits runs the fits of models, some hundred milliseconds of arithmetic each
   */
  public LiveTargets(
      HpaFeatures features, PrometheusServers servers, MetricSource source, Executor fits) {
    this.specs = new SpecReader(features);
    this.servers = servers;
    this.source = source;
    this.fits = fits;
  }

  /** The target of a resource; a new one when its settings or queries have changed. */
  LiveTarget of(PredictiveHPA resource, Instant now) throws Unusable {
    var spec = resource.getSpec();
    var settings = specs.settings(spec);
    var server = servers.server(resource.getMetadata().getNamespace(), spec.prometheus());
    var queries = new LinkedHashMap<String, MetricQuery>();
    for (var metric : spec.forecastMetrics()) {
      queries.put(metric.name(), query(resource, metric, server, settings.forecast().step()));
    }
    var uid = resource.getMetadata().getUid();
    var known = targets.get(uid);
    if (known != null && known.isFor(settings, queries)) {
      known.use(queries);
      return known;
    }
    targets.values().removeIf(target -> target.isForgotten(now));
    var fresh =
        new LiveTarget(
            settings,
            queries,
            source,
            fits,
            LeadTimes.of(resource),
            offset(uid, settings.forecast().step()),
            now);
    targets.put(uid, fresh);
    return fresh;
  }

  /**
   * What the first metric of a resource was by the minute, and how the resource is scaled.
   *
   * @throws Unusable when there is no server to ask
   * @throws IllegalArgumentException when the spec is invalid
   */
  public Recorded recorded(PredictiveHPA resource) throws Unusable {
    var spec = resource.getSpec();
    var server = servers.server(resource.getMetadata().getNamespace(), spec.prometheus());
    return new Recorded(
        query(resource, spec.forecastMetrics().getFirst(), server, Duration.ofMinutes(1)),
        specs.settings(spec));
  }

  /** Where a demand is recorded, and how it is scaled for. */
  public record Recorded(MetricQuery demand, TargetSettings settings) {}

  void forget(PredictiveHPA resource) {
    targets.remove(resource.getMetadata().getUid());
  }

  private static MetricQuery query(
      PredictiveHPA resource, MetricEntry metric, PrometheusServer server, Duration step) {
    return new MetricQuery(
        server, Presets.promql(metric, resource.getMetadata().getNamespace()), step);
  }

  private static Duration offset(String uid, Duration step) {
    var quarter = step.dividedBy(SPREAD);
    var spread = quarter.compareTo(LONGEST_SPREAD) < 0 ? quarter : LONGEST_SPREAD;
    return Duration.ofMillis(Math.floorMod(uid.hashCode(), Math.max(1, spread.toMillis())));
  }
}
