package io.prescale.controller.demo;

import io.prescale.adapter.MetricKey;
import io.prescale.adapter.MetricReadModel;
import io.prescale.adapter.PlannedValue;
import io.prescale.adapter.ServedMetric;
import io.prescale.controller.autoscaling.CycleResult;
import io.prescale.controller.autoscaling.Explanation;
import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.controller.autoscaling.LeadTimeEstimator;
import io.prescale.controller.autoscaling.MetricResult;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.ReplicaState;
import io.prescale.controller.autoscaling.ScaleUp;
import io.prescale.controller.autoscaling.ScalingCycle;
import io.prescale.controller.autoscaling.ServedValue;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.demand.source.MetricSource.HistoryReading;
import io.prescale.controller.operator.hpa.HpaWish;
import io.prescale.controller.web.Mark;
import io.prescale.controller.web.MarkLog;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What the controller does for one workload: reads its history and its newest samples, decides, and
 * publishes the value. Not thread-safe.
 */
final class Autoscaler {
  private final Workload workload;
  private final MetricQuery query;
  private final MetricSource source;
  private final MetricReadModel model;
  private final ScalingCycle cycle;
  private final LeadTimeEstimator leadTimes;
  private final DemoSettings settings;
  private @Nullable CompletableFuture<HistoryReading> history;
  private boolean learned;
  private final MarkLog marks = new MarkLog();
  private Optional<CycleResult> newest = Optional.empty();

  /**
   * Creates an autoscaler that reads its history at the first question or tick.
   *
   * @param fits runs the fits of models
   */
  Autoscaler(
      Workload workload,
      MetricQuery query,
      MetricSource source,
      MetricReadModel model,
      Executor fits,
      DemoSettings settings) {
    this.workload = workload;
    this.query = query;
    this.source = source;
    this.model = model;
    this.leadTimes = new LeadTimeEstimator(workload.coldStart().planned(), Optional.empty());
    this.cycle = new ScalingCycle(workload.settings(), lead(1), settings.start(), fits);
    this.settings = settings;
  }

  private LeadTime lead(int replicas) {
    return leadTimes.estimate(workload.hpa(), replicas, workload.settings().forecast().step());
  }

  /** The lead time of the next scale-up by one replica. */
  LeadTime leadTime() {
    return lead(1);
  }

  /** Starts reading new samples. */
  CompletableFuture<Reading> ask(Instant now) {
    return source.read(query, cycle.observedUntil(workload.metric()), now);
  }

  /** Whether the history is learned; only before the first tick. */
  boolean isWarm(Instant now, SimulatedHpa hpa) {
    tick(now, new Reading.Observed(List.of()), hpa, hpa.replicas());
    return learned
        && newest.stream()
            .flatMap(result -> result.metrics().stream())
            .noneMatch(MetricResult::retargeting);
  }

  /** Decides the served value and publishes it. */
  void tick(Instant now, Reading reading, SimulatedHpa hpa, int ready) {
    learn();
    var result = decide(now, reading, hpa, ready);
    newest = Optional.of(result);
    var metric = result.metrics().getFirst();
    marks.observe(
        metric.name(),
        now,
        metric.trust().state(),
        metric.trust().message(),
        metric.modelFittedAt());
    publish(metric);
  }

  private CycleResult decide(Instant now, Reading reading, SimulatedHpa hpa, int ready) {
    var state = new ReplicaState(hpa.replicas(), ready, lead(hpa.replicas()), hpa.state());
    var outcomes = cycle.observe(now, Map.of(workload.metric(), reading), state);
    return cycle.decide(now, cycle.forecast(outcomes), state);
  }

  /** Repeats the decision with the state of the HPA after it has read the value. */
  void look(Instant now, SimulatedHpa hpa, int ready) {
    if (newest.isEmpty() || newest.get().metrics().getFirst().missing().isPresent()) {
      return;
    }
    newest = Optional.of(decide(now, new Reading.Observed(List.of()), hpa, ready));
  }

  /** Retries a history that could not be read. */
  private void learn() {
    if (learned) {
      return;
    }
    var asked = history;
    if (asked == null) {
      history = source.history(query, settings.historyStart(), settings.start());
    } else if (asked.isDone()) {
      history = null;
      if (asked.join() instanceof HistoryReading.Found found) {
        cycle.learn(workload.metric(), found.series());
        learned = true;
      }
    }
  }

  private void publish(MetricResult result) {
    var key = key(workload);
    result.served().ifPresent(value -> model.publish(key, workload.name(), metric(value)));
    result.missing().ifPresent(it -> model.refuse(key, workload.name(), labels(), it.message()));
  }

  private ServedMetric metric(ServedValue value) {
    return new ServedMetric(
        labels(),
        milli(value.value()),
        value.computedAt(),
        0,
        value.plan().stream().map(it -> new PlannedValue(it.at(), milli(it.value()))).toList(),
        value.freshFor(),
        value.timeToLive(),
        milli(value.floor()));
  }

  private static long milli(double value) {
    return (long) Math.ceil(1000 * value);
  }

  private SortedMap<String, String> labels() {
    return new TreeMap<>(Map.of(HpaWish.SELECTOR_LABEL, workload.name()));
  }

  static MetricKey key(Workload workload) {
    return new MetricKey(Workload.NAMESPACE, workload.metric());
  }

  void learnLead(ScaleUp scaleUp) {
    leadTimes.observe(scaleUp);
  }

  /** When its models were fitted, and when its breaker changed. */
  List<Mark> marks() {
    return marks.of(workload.metric());
  }

  /** The newest decision. */
  Optional<CycleResult> newest() {
    return newest;
  }

  /** Why it was made; empty while demand is not observed, so that nothing new is decided. */
  Optional<Explanation> decision() {
    return newest
        .filter(it -> it.metrics().getFirst().missing().isEmpty())
        .flatMap(CycleResult::explanation);
  }
}
