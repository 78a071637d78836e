package io.prescale.controller.autoscaling;

import io.prescale.forecasting.TimeSeries;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;

/**
 * One target's way from readings to served values, tick by tick: learn what was observed, forecast
 * the highest demand one lead time ahead, choose the replicas whose cost and risk are least, and
 * tell why.
 *
 * <p>Pure but for its own forecasters: no clock, no threads but those of the executor that fits
 * models. The same settings, readings and states give the same results when the executor runs tasks
 * at once. Not thread-safe: one thread at a time.
 */
public final class ScalingCycle {
  private final TargetSettings settings;
  private final List<MetricCycle> metrics;

  /**
   * A cycle that has seen nothing yet.
   *
   * @param lead that forecasts look ahead until a tick tells another
   * @param start of the first step that it is to observe
   * @param fits runs model fits, some hundred milliseconds each; must take every task, and may let
   *     it wait
   */
  public ScalingCycle(TargetSettings settings, LeadTime lead, Instant start, Executor fits) {
    this.settings = settings;
    this.metrics =
        settings.metrics().stream()
            .map(metric -> new MetricCycle(settings, metric, lead.total(), start, fits))
            .toList();
  }

  /**
   * Takes in a metric's history, at the beginning or later. It is used as soon as the executor has
   * led a forecaster through it.
   *
   * @param metric its place in the settings
   * @param history at the settings' step, its steps beginning at whole multiples of it since the
   *     epoch, negative values excluded
   */
  public void learn(int metric, TimeSeries history) {
    metrics.get(metric).learn(history);
  }

  /** The end of the newest step that is known of a metric; samples are needed after it. */
  public Instant observedUntil(int metric) {
    return metrics.get(metric).observedUntil();
  }

  /**
   * One tick, at any interval; best once a step, shortly after it is over.
   *
   * @param now not before that of the last tick
   * @param readings one for each metric, in the order of the settings
   */
  public CycleResult tick(Instant now, List<Reading> readings, ReplicaState state) {
    if (readings.size() != metrics.size()) {
      throw new IllegalArgumentException(
          "%d readings for %d metrics".formatted(readings.size(), metrics.size()));
    }
    var results = new ArrayList<MetricResult>();
    for (int m = 0; m < metrics.size(); m++) {
      results.add(metrics.get(m).tick(now, readings.get(m), state));
    }
    Optional<Decided> highest = decided(results);
    return new CycleResult(
        now,
        results,
        highest.map(it -> OptionalInt.of(it.replicas())).orElse(OptionalInt.empty()),
        state.lead(),
        needed(results),
        highest.map(it -> explain(now, it, state)));
  }

  /** A metric that has a value, and what the HPA will make of it within its limits. */
  private record Decided(
      MetricSettings metric,
      MetricResult result,
      ServedValue served,
      ScalingDecision decision,
      int replicas) {}

  /** The metric that asks for the most replicas, as the HPA has it; the first of equals. */
  private Optional<Decided> decided(List<MetricResult> results) {
    var decided = new ArrayList<Decided>();
    for (int m = 0; m < results.size(); m++) {
      MetricResult result = results.get(m);
      if (result.served().isPresent() && result.decision().isPresent()) {
        var decision = result.decision().get();
        int replicas =
            Math.clamp(
                decision.desiredReplicas(),
                settings.hpa().minReplicas(),
                settings.hpa().maxReplicas());
        decided.add(
            new Decided(
                settings.metrics().get(m), result, result.served().get(), decision, replicas));
      }
    }
    return decided.stream()
        .reduce((a, b) -> b.decision().desiredReplicas() > a.decision().desiredReplicas() ? b : a);
  }

  /** By the metric that needs the most replicas, as the HPA has it. */
  private Optional<Needed> needed(List<MetricResult> results) {
    var replicas = OptionalInt.empty();
    for (int m = 0; m < results.size(); m++) {
      var observed = results.get(m).observed();
      if (observed.isPresent()) {
        double capacity = settings.metrics().get(m).capacityPerReplica();
        int needs = HpaRules.replicasFor(observed.getAsDouble(), capacity);
        replicas = OptionalInt.of(Math.max(needs, replicas.orElse(0)));
      }
    }
    return replicas.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Needed(
                replicas.getAsInt(),
                Math.clamp(
                    replicas.getAsInt(),
                    settings.hpa().minReplicas(),
                    settings.hpa().maxReplicas())));
  }

  private Explanation explain(Instant now, Decided it, ReplicaState state) {
    boolean byForecast = it.decision().reason() == ScalingDecision.Reason.FORECAST;
    double median = it.result().forecast().map(ForecastSummary::p50).orElse(Double.NaN);
    return new Explanation(
        now,
        it.metric().name(),
        it.served().floor(),
        it.result().forecast(),
        it.decision().reason(),
        byForecast ? it.served().value() - median : 0,
        it.decision().shortageProbability(),
        state.lead(),
        it.served().value(),
        it.metric().capacityPerReplica(),
        it.replicas(),
        HpaGates.judge(settings.hpa(), it.metric(), it.served().value(), state.hpa()));
  }
}
