package io.prescale.controller.autoscaling;

import io.prescale.controller.schedules.ReplicaBounds.Bound;
import io.prescale.forecasting.TimeSeries;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;

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
   */
  public ScalingCycle(TargetSettings settings, LeadTime lead, Instant start, Learning learning) {
    this.settings = settings;
    for (var metric : settings.metrics()) {
      metrics.put(metric.name(), new MetricCycle(settings, metric, lead.total(), start, learning));
    }
  }

  /** A cycle that has seen nothing yet, and learns from its own metrics alone. */
  public ScalingCycle(TargetSettings settings, LeadTime lead, Instant start, Executor fits) {
    this(settings, lead, start, Learning.alone(fits));
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

  /**
   * What another process needs to go on with a metric, at most about 30 KiB for two weeks of
   * minutes; empty before the first refit. Takes some milliseconds.
   */
  public Optional<byte[]> save(String metric) {
    return metric(metric).save();
  }

  /**
   * Goes on with a metric from what was {@link #save}d, in place of a history; samples are needed
   * from {@link #observedUntil} on. Before the first tick.
   *
   * @return why that is impossible, a sentence; empty when it was done
   */
  public Optional<String> resume(String metric, byte[] saved, Instant now) {
    return metric(metric).resume(saved, now);
  }

  /** What is known of a metric's demand; NaN during events and excluded windows. O(steps). */
  public TimeSeries ordinary(String metric) {
    return metric(metric).ordinary();
  }

  /** The end of what a metric's newest fit knew; empty before the first. */
  public Optional<Instant> learnedAt(String metric) {
    return metric(metric).learnedAt();
  }

  /** Lets what an earlier leader served of a metric stand until as much is known here. */
  public void takeOver(String metric, HandedOver earlier) {
    metric(metric).takeOver(earlier);
  }

  /** Goes on with what a cycle of the same queries has started, before an edit of its settings. */
  public void goOnFrom(ScalingCycle before) {
    metrics.forEach(
        (name, metric) ->
            Optional.ofNullable(before.metrics.get(name)).ifPresent(metric::goOnFrom));
  }

  /** The end of the newest step that is known of a metric; samples are needed after it. */
  public Instant observedUntil(String metric) {
    return metric(metric).observedUntil();
  }

  /**
   * Since when the number of series behind a metric has to be known to judge what was read, for
   * {@link Reading.Observed#series}; empty but for a fall that forecasts consider nearly
   * impossible.
   */
  public Optional<Instant> seriesNeededSince(String metric, Reading.Observed read, Instant now) {
    return metric(metric).seriesNeededSince(read, now);
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
  public List<StepOutcome> observe(Instant now, Map<String, Reading> readings, ReplicaState state) {
    if (!readings.keySet().equals(metrics.keySet())) {
      throw new IllegalArgumentException(
          "readings of %s for the metrics %s".formatted(readings.keySet(), metrics.keySet()));
    }
    return metrics.entrySet().stream()
        .map(
            metric -> {
              var reading = Objects.requireNonNull(readings.get(metric.getKey()));
              return metric.getValue().observe(now, reading, state);
            })
        .toList();
  }

  /** Forecasts each metric's highest demand one lead time ahead. */
  public List<MetricForecast> forecast(List<StepOutcome> outcomes) {
    return outcomes.stream().map(it -> metric(it.metric()).forecast(it)).toList();
  }

  /**
   * Decides what each metric serves, by {@link ServedValueChoice} and {@link ScheduledChoice}, and
   * what the HPA makes of it.
   */
  public CycleResult decide(Instant now, List<MetricForecast> forecasts, ReplicaState state) {
    var results = forecasts.stream().map(it -> metric(it.metric()).decide(now, it, state)).toList();
    var explanation = deciding(results).map(it -> explain(now, it, state));
    return new CycleResult(
        now,
        results,
        explanation.stream().mapToInt(Explanation::desiredReplicas).findAny(),
        state.lead(),
        needed(results),
        explanation);
  }

  /** The metric that asks for the most replicas, as the HPA has it; the first of equals. */
  private static Optional<MetricResult> deciding(List<MetricResult> results) {
    return results.stream()
        .filter(it -> it.decision().isPresent())
        .reduce((a, b) -> desiredReplicas(b) > desiredReplicas(a) ? b : a);
  }

  private static int desiredReplicas(MetricResult result) {
    return result.decision().orElseThrow().desiredReplicas();
  }

  /** By the metric that needs the most replicas, as the HPA has it. */
  private Optional<Needed> needed(List<MetricResult> results) {
    return results.stream()
        .filter(it -> it.observed().isPresent())
        .map(it -> HpaRules.replicasFor(it.observed().getAsDouble(), capacity(it)))
        .max(Integer::compare)
        .map(replicas -> new Needed(replicas, withinLimits(replicas)));
  }

  private double capacity(MetricResult result) {
    return metric(result.name()).settings().capacityPerReplica();
  }

  private int withinLimits(int replicas) {
    return Math.clamp(replicas, settings.hpa().minReplicas(), settings.hpa().maxReplicas());
  }

  private Explanation explain(Instant now, MetricResult result, ReplicaState state) {
    var metric = metric(result.name()).settings();
    var decision = result.decision().orElseThrow();
    var served = result.served().orElseThrow();
    var followed =
        result.forecast().filter(_ -> decision.reason() == ScalingDecision.Reason.FORECAST);
    return new Explanation(
        now,
        metric.name(),
        result.observed().orElse(Double.NaN),
        result.forecast(),
        decision.reason(),
        schedule(now, decision.reason(), state.lead()),
        followed.map(forecast -> served.value() - forecast.p50()).orElse(0.0),
        decision.shortageProbability(),
        state.lead(),
        served.value(),
        metric.capacityPerReplica(),
        withinLimits(decision.desiredReplicas()),
        HpaGates.judge(settings.hpa(), metric, served.value(), state.hpa()),
        result.missedBudget().filter(_ -> doesPriceDecide(result.trust(), decision)),
        decision.activity());
  }

  /** At the most that may be, and while forecasts are not followed, no price buys replicas. */
  private boolean doesPriceDecide(Trust trust, ScalingDecision decision) {
    return trust.state() == Trust.State.CLOSED
        && decision.reason() != ScalingDecision.Reason.SCHEDULED_CEILING
        && decision.desiredReplicas() < settings.hpa().maxReplicas();
  }

  private Optional<String> schedule(Instant now, ScalingDecision.Reason reason, LeadTime lead) {
    var bound =
        switch (reason) {
          case SCHEDULED_FLOOR -> settings.schedules().boundsAt(now, lead.withoutRamp()).floor();
          case SCHEDULED_CEILING ->
              settings.schedules().boundsAt(now, lead.withoutRamp()).ceiling();
          default -> Optional.<Bound>empty();
        };
    return bound.map(Bound::schedule);
  }
}
