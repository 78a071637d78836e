package io.prescale.controller.autoscaling;

import io.prescale.forecasting.TimeSeries;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/**
 * The pure part of one target's control loop. Each tick calls, in this order, {@link #observe},
 * {@link #forecast} and {@link #decide}; each hands its result to the next.
 *
 * <p>Pure but for its own forecasters: no clock, no threads but those of the executor that fits
 * models. The same settings, readings and states give the same results when the executor runs tasks
 * at once. Not thread-safe: one thread at a time.
 */
public final class ScalingCycle {
  private final TargetSettings settings;
  private final Map<String, MetricCycle> metrics = new LinkedHashMap<>();

  /**
   * A cycle that has seen nothing yet.
   *
   * @param lead that forecasts look ahead until a tick has another
   * @param start of the first step that it is to observe
   * @param fits runs model fits, some hundred milliseconds each; must take every task, and may let
   *     it wait
   */
  public ScalingCycle(TargetSettings settings, LeadTime lead, Instant start, Executor fits) {
    this.settings = settings;
    for (var metric : settings.metrics()) {
      metrics.put(metric.name(), new MetricCycle(settings, metric, lead.total(), start, fits));
    }
  }

  /**
   * Takes in a metric's history, at the beginning or later. It is used as soon as the executor has
   * led a forecaster through it.
   *
   * @param history at the settings' step, its steps beginning at whole multiples of it since the
   *     epoch, negative values excluded
   */
  public void learn(String metric, TimeSeries history) {
    metric(metric).learn(history);
  }

  /** The end of the newest step that is known of a metric; samples are needed after it. */
  public Instant observedUntil(String metric) {
    return metric(metric).observedUntil();
  }

  private MetricCycle metric(String name) {
    var metric = metrics.get(name);
    if (metric == null) {
      throw new IllegalArgumentException("no metric %s among %s".formatted(name, metrics.keySet()));
    }
    return metric;
  }

  /**
   * Takes in what was read, and settles past forecasts by it. At any interval; best once a step,
   * shortly after it is over.
   *
   * @param now not before that of the last tick
   * @param readings one for each metric, by name
   */
  public List<Observation> observe(Instant now, Map<String, Reading> readings, ReplicaState state) {
    if (!readings.keySet().equals(metrics.keySet())) {
      throw new IllegalArgumentException(
          "readings of %s for the metrics %s".formatted(readings.keySet(), metrics.keySet()));
    }
    return metrics.entrySet().stream()
        .map(metric -> metric.getValue().observe(now, readings.get(metric.getKey()), state))
        .toList();
  }

  /** Forecasts each metric's highest demand one lead time ahead. */
  public List<MetricForecast> forecast(List<Observation> observations) {
    return observations.stream().map(it -> metric(it.metric()).forecast(it)).toList();
  }

  /**
   * Decides what each metric serves, by {@link ServedValueChoice}, and what the HPA makes of it.
   */
  public CycleResult decide(Instant now, List<MetricForecast> forecasts, ReplicaState state) {
    var results =
        forecasts.stream().map(it -> metric(it.metric()).decide(now, it, state.current())).toList();
    var highest = highest(results);
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
  private Optional<Decided> highest(List<MetricResult> results) {
    return results.stream()
        .flatMap(this::decided)
        .reduce((a, b) -> b.decision().desiredReplicas() > a.decision().desiredReplicas() ? b : a);
  }

  private Stream<Decided> decided(MetricResult result) {
    return result.served().stream()
        .flatMap(
            served ->
                result.decision().stream()
                    .map(
                        decision ->
                            new Decided(
                                metric(result.name()).settings(),
                                result,
                                served,
                                decision,
                                withinLimits(decision.desiredReplicas()))));
  }

  /** By the metric that needs the most replicas, as the HPA has it. */
  private Optional<Needed> needed(List<MetricResult> results) {
    return results.stream()
        .filter(result -> result.observed().isPresent())
        .map(
            result ->
                HpaRules.replicasFor(
                    result.observed().getAsDouble(),
                    metric(result.name()).settings().capacityPerReplica()))
        .max(Integer::compare)
        .map(replicas -> new Needed(replicas, withinLimits(replicas)));
  }

  private int withinLimits(int replicas) {
    return Math.clamp(replicas, settings.hpa().minReplicas(), settings.hpa().maxReplicas());
  }

  private Explanation explain(Instant now, Decided it, ReplicaState state) {
    var forecast = it.result().forecast();
    var followed = forecast.filter(_ -> it.decision().reason() == ScalingDecision.Reason.FORECAST);
    return new Explanation(
        now,
        it.metric().name(),
        it.served().floor(),
        forecast,
        it.decision().reason(),
        followed.map(f -> it.served().value() - f.p50()).orElse(0.0),
        it.decision().shortageProbability(),
        state.lead(),
        it.served().value(),
        it.metric().capacityPerReplica(),
        it.replicas(),
        HpaGates.judge(settings.hpa(), it.metric(), it.served().value(), state.hpa()));
  }
}
