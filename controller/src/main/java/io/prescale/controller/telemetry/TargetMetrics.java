package io.prescale.controller.telemetry;

import io.prescale.controller.autoscaling.CycleResult;
import io.prescale.controller.autoscaling.MetricResult;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.ServedValue;
import io.prescale.controller.autoscaling.Trust;
import io.prometheus.client.Collector;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

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

  /** Those that cannot be ticked, whether or not they ever were. */
  private final Set<Target> blocked = new HashSet<>();

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
    blocked.remove(target);
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

  synchronized void blocked(Target target) {
    blocked.add(target);
  }

  synchronized void goesOn(Target target) {
    blocked.remove(target);
  }

  synchronized void removed(Target target) {
    known.remove(target);
    untracked.remove(target);
    blocked.remove(target);
  }

  synchronized void removedAll() {
    blocked.clear();
    known.clear();
    untracked.clear();
  }

  @Override
  public synchronized List<MetricFamilySamples> collect() {
    var families = new MetricFamilies();
    long ticked =
        Stream.of(known.keySet(), untracked)
            .flatMap(Set::stream)
            .filter(it -> !blocked.contains(it))
            .count();
    families.of().add(SelfMetric.TARGETS, (double) ticked);
    families.of().add(SelfMetric.UNTRACKED_TARGETS, untracked.size());
    families.of().add(SelfMetric.BLOCKED_TARGETS, blocked.size());
    known.forEach((target, it) -> add(families, target, it));
    return families.all();
  }

  private void add(MetricFamilies families, Target target, Known known) {
    var samples = families.of(target.namespace(), target.name());
    samples.add(SelfMetric.TICKS, (double) known.ticks);
    add(samples, "prescale", known.hindsight.prescale());
    add(samples, "reactive", known.hindsight.reactive());
    var rises = known.hindsight.rises();
    samples.add(SelfMetric.RISES, (double) rises.needed(), "needed");
    samples.add(SelfMetric.RISES, (double) rises.falseAlarms(), "false_alarm");
    known.errors.forEach(
        (metric, errors) ->
            errors.forEach(
                (reason, count) ->
                    samples.add(
                        SelfMetric.METRIC_ERRORS, (double) count, metric, lowerCase(reason))));
    for (MetricResult metric : known.last.metrics()) {
      var ofMetric = families.of(target.namespace(), target.name(), metric.name());
      metric.served().ifPresent(it -> add(ofMetric, it)); // it stands until its TTL
      if (!blocked.contains(target)) {
        add(ofMetric, metric);
      }
    }
    if (!blocked.contains(target)) {
      addNow(samples, known);
    }
  }

  /** What only a tick knows. */
  private static void addNow(MetricFamilies.Samples samples, Known known) {
    known.last.desiredReplicas().ifPresent(n -> samples.add(SelfMetric.DESIRED_REPLICAS, n));
    known.quotaReplicas.ifPresent(n -> samples.add(SelfMetric.QUOTA_REPLICAS, n));
    samples.add(SelfMetric.GPUS_PER_REPLICA, known.gpus);
    var lead = known.last.lead();
    samples.add(SelfMetric.LEAD_TIME_SECONDS, seconds(lead.total()), lowerCase(lead.source()));
  }

  private static void add(MetricFamilies.Samples samples, String rule, Hindsight.Tally tally) {
    samples.add(SelfMetric.REPLICA_SECONDS, tally.replicaSeconds(), rule);
    samples.add(SelfMetric.OVERLOADED_SECONDS, tally.overloadedSeconds(), rule);
  }

  private void add(MetricFamilies.Samples samples, ServedValue served) {
    samples.add(SelfMetric.SERVED_VALUE, served.value());
    samples.add(SelfMetric.SERVED_AGE_SECONDS, age(served));
  }

  private static void add(MetricFamilies.Samples samples, MetricResult metric) {
    samples.add(SelfMetric.OBSERVED_DEMAND, metric.observed());
    metric
        .forecast()
        .ifPresent(
            forecast -> {
              samples.add(SelfMetric.FORECAST_DEMAND, forecast.p50(), "0.5");
              samples.add(SelfMetric.FORECAST_DEMAND, forecast.p90(), "0.9");
              samples.add(SelfMetric.FORECAST_DEMAND, forecast.p95(), "0.95");
              samples.add(SelfMetric.FORECAST_DEMAND, forecast.p99(), "0.99");
            });
    Trust trust = metric.trust();
    samples.add(SelfMetric.FORECAST_ERROR_RATIO, trust.error());
    samples.add(SelfMetric.FORECAST_SKILL, trust.skill());
    samples.add(SelfMetric.FORECAST_COVERAGE, trust.coverage90(), "0.9");
    samples.add(SelfMetric.FORECAST_COVERAGE, trust.coverage95(), "0.95");
    for (Trust.State state : Trust.State.values()) {
      samples.add(SelfMetric.BREAKER_STATE, state == trust.state() ? 1 : 0, lowerCase(state));
    }
  }

  private double age(ServedValue served) {
    return seconds(Duration.between(served.computedAt(), clock.instant()));
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  private static String lowerCase(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
