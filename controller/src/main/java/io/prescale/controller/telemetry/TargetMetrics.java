package io.prescale.controller.telemetry;

import io.prescale.controller.autoscaling.CycleResult;
import io.prescale.controller.autoscaling.MetricResult;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.ServedValue;
import io.prescale.controller.autoscaling.Trust;
import io.prometheus.client.Collector;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The series of the objects, made anew at each scrape from their last results: nothing is left of
 * an object that is gone, and ages are true. Thread-safe.
 */
final class TargetMetrics extends Collector {
  /** Some fifty series each; more would be a burden to the server that scrapes. */
  static final int MOST_TARGETS = 2000;

  private final InstantSource clock;
  private final Map<Target, Known> known = new HashMap<>();
  private final Set<Target> untracked = new HashSet<>();

  /** What is known of an object. */
  private static final class Known {
    private CycleResult last;
    private OptionalInt quotaReplicas = OptionalInt.empty();
    private OptionalDouble gpus = OptionalDouble.empty();
    private long ticks;
    private final Hindsight hindsight = new Hindsight();
    private final Map<String, Map<Reading.Reason, Long>> errors = new HashMap<>();

    private Known(CycleResult last) {
      this.last = last;
    }
  }

  TargetMetrics(InstantSource clock) {
    this.clock = clock;
  }

  synchronized void ticked(Target target, CycleResult result, OptionalDouble gpus) {
    Known it = known.get(target);
    if (it == null) {
      if (known.size() >= MOST_TARGETS) {
        untracked.add(target);
        return;
      }
      it = new Known(result);
      known.put(target, it);
      untracked.remove(target);
    }
    it.last = result;
    it.gpus = gpus;
    it.ticks++;
    look(it.hindsight, result);
    for (MetricResult metric : result.metrics()) {
      var errors =
          it.errors.computeIfAbsent(metric.name(), _ -> new EnumMap<>(Reading.Reason.class));
      metric.missing().ifPresent(missing -> errors.merge(missing.reason(), 1L, Long::sum));
    }
    it.errors
        .keySet()
        .removeIf(name -> result.metrics().stream().noneMatch(m -> m.name().equals(name)));
  }

  private static void look(Hindsight hindsight, CycleResult result) {
    if (result.desiredReplicas().isPresent() && result.needed().isPresent()) {
      hindsight.ticked(
          result.at(),
          result.lead().total(),
          result.desiredReplicas().getAsInt(),
          result.needed().get());
    }
  }

  synchronized void quotaLeaves(Target target, OptionalInt replicas) {
    Known it = known.get(target);
    if (it != null) {
      it.quotaReplicas = replicas;
    }
  }

  synchronized void removed(Target target) {
    known.remove(target);
    untracked.remove(target);
  }

  synchronized void removedAll() {
    known.clear();
    untracked.clear();
  }

  @Override
  public synchronized List<MetricFamilySamples> collect() {
    var families = new Families();
    families.add(SelfMetric.TARGETS, known.size() + untracked.size());
    families.add(SelfMetric.UNTRACKED_TARGETS, untracked.size());
    known.forEach((target, it) -> add(families, target, it));
    return families.all();
  }

  private void add(Families families, Target target, Known it) {
    String namespace = target.namespace();
    String name = target.name();
    families.add(SelfMetric.TICKS, (double) it.ticks, namespace, name);
    it.last
        .desiredReplicas()
        .ifPresent(n -> families.add(SelfMetric.DESIRED_REPLICAS, n, namespace, name));
    it.quotaReplicas.ifPresent(n -> families.add(SelfMetric.QUOTA_REPLICAS, n, namespace, name));
    add(families, namespace, name, "prescale", it.hindsight.prescale());
    add(families, namespace, name, "reactive", it.hindsight.reactive());
    var rises = it.hindsight.rises();
    families.add(SelfMetric.RISES, (double) rises.needed(), namespace, name, "needed");
    families.add(SelfMetric.RISES, (double) rises.falseAlarms(), namespace, name, "false_alarm");
    add(families, SelfMetric.GPUS_PER_REPLICA, it.gpus, namespace, name);
    var lead = it.last.lead();
    families.add(
        SelfMetric.LEAD_TIME_SECONDS,
        seconds(lead.total()),
        namespace,
        name,
        lowerCase(lead.source()));
    it.errors.forEach(
        (metric, errors) ->
            errors.forEach(
                (reason, count) ->
                    families.add(
                        SelfMetric.METRIC_ERRORS,
                        (double) count,
                        namespace,
                        name,
                        metric,
                        lowerCase(reason))));
    it.last.metrics().forEach(metric -> add(families, namespace, name, metric));
  }

  private static void add(
      Families families, String namespace, String name, String rule, Hindsight.Tally tally) {
    families.add(SelfMetric.REPLICA_SECONDS, tally.replicaSeconds(), namespace, name, rule);
    families.add(SelfMetric.OVERLOADED_SECONDS, tally.overloadedSeconds(), namespace, name, rule);
  }

  private void add(Families families, String namespace, String name, MetricResult metric) {
    String id = metric.name();
    metric
        .observed()
        .ifPresent(v -> families.add(SelfMetric.OBSERVED_DEMAND, v, namespace, name, id));
    metric
        .forecast()
        .ifPresent(
            f -> {
              families.add(SelfMetric.FORECAST_DEMAND, f.p50(), namespace, name, id, "0.5");
              families.add(SelfMetric.FORECAST_DEMAND, f.p90(), namespace, name, id, "0.9");
              families.add(SelfMetric.FORECAST_DEMAND, f.p95(), namespace, name, id, "0.95");
              families.add(SelfMetric.FORECAST_DEMAND, f.p99(), namespace, name, id, "0.99");
            });
    metric
        .served()
        .ifPresent(
            served -> {
              families.add(SelfMetric.SERVED_VALUE, served.value(), namespace, name, id);
              families.add(SelfMetric.SERVED_AGE_SECONDS, age(served), namespace, name, id);
            });
    Trust trust = metric.trust();
    add(families, SelfMetric.FORECAST_ERROR_RATIO, trust.error(), namespace, name, id);
    add(families, SelfMetric.FORECAST_SKILL, trust.skill(), namespace, name, id);
    add(families, SelfMetric.FORECAST_COVERAGE, trust.coverage90(), namespace, name, id, "0.9");
    add(families, SelfMetric.FORECAST_COVERAGE, trust.coverage95(), namespace, name, id, "0.95");
    for (Trust.State state : Trust.State.values()) {
      families.add(
          SelfMetric.BREAKER_STATE,
          state == trust.state() ? 1 : 0,
          namespace,
          name,
          id,
          lowerCase(state));
    }
  }

  private double age(ServedValue served) {
    return seconds(Duration.between(served.computedAt(), clock.instant()));
  }

  private static void add(
      Families families, SelfMetric series, OptionalDouble value, String... labels) {
    value.ifPresent(known -> families.add(series, known, labels));
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  private static String lowerCase(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Samples by family, in the order of {@link SelfMetric}. */
  private static final class Families {
    private final Map<SelfMetric, List<MetricFamilySamples.Sample>> samples =
        new EnumMap<>(SelfMetric.class);

    void add(SelfMetric series, double value, String... labels) {
      String name = series.metricName() + (series.type() == Type.COUNTER ? "_total" : "");
      samples
          .computeIfAbsent(series, _ -> new ArrayList<>())
          .add(new MetricFamilySamples.Sample(name, series.labels(), List.of(labels), value));
    }

    List<MetricFamilySamples> all() {
      return samples.entrySet().stream()
          .map(
              e ->
                  new MetricFamilySamples(
                      e.getKey().metricName(), e.getKey().type(), e.getKey().help(), e.getValue()))
          .toList();
    }
  }
}
