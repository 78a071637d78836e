package io.prescale.controller.operator;

import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPASpec;
import io.prescale.controller.demand.preset.Presets;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.operator.scalein.ScaleIns;
import io.prescale.controller.operator.scalein.Work;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Asks what work each pod of a workload has in flight.
 *
 * @param source whose credentials are read anew when they are refused
 */
record PodWork(MetricSource source, PrometheusServers servers) {
  /** A decision waits at most this many seconds for it. */
  private static final int PATIENCE = 10;

  private static final Work LATE = new Work.Unknown("Prometheus did not answer in time.");

  /** Asks, where it is needed; the answer comes within a limit of time, and never exceptionally. */
  CompletableFuture<Work> ask(PredictiveHPA resource, Instant now) {
    if (!ScaleIns.needsWork(resource)) {
      return CompletableFuture.completedFuture(new Work.NotAsked());
    }
    var spec = resource.getSpec();
    var namespace = resource.getMetadata().getNamespace();
    try {
      var server = servers.server(namespace, spec.prometheus());
      return query(spec, namespace)
          .map(it -> new MetricQuery(namespace, server, it, spec.forecast().stepLength()))
          .map(it -> source.latest(it, now).thenApply(Work::of))
          .map(it -> it.completeOnTimeout(LATE, PATIENCE, TimeUnit.SECONDS))
          .orElseGet(
              () ->
                  unknown(
                      "No metric shows how much work a pod has in flight; write"
                          + " scaleIn.prometheus.query."));
    } catch (NotReady | IllegalArgumentException e) {
      return unknown(String.valueOf(e.getMessage()));
    }
  }

  private static CompletableFuture<Work> unknown(String why) {
    return CompletableFuture.completedFuture(new Work.Unknown(why));
  }

  private static Optional<String> query(PredictiveHPASpec spec, String namespace) {
    var own = spec.scaleIn() == null ? null : spec.scaleIn().prometheus();
    return own != null
        ? Optional.of(own.query())
        : spec.forecastMetrics().stream()
            .flatMap(metric -> Presets.workByPod(metric, namespace).stream())
            .findFirst();
  }
}
