package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.autoscaling.CycleResult;
import io.prescale.controller.autoscaling.Explanation;
import io.prescale.controller.autoscaling.HpaState;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.ReplicaState;
import io.prescale.controller.autoscaling.ScalingCycle;
import io.prescale.controller.autoscaling.TargetSettings;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.demand.source.MetricSource.HistoryReading;
import io.prescale.controller.operator.hpa.Contest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

/**
 * What the leader keeps of one PredictiveHPA between ticks: its cycle with the forecasters, what is
 * still to be learned, and when to tick next. Not thread-safe; one reconciliation at a time.
 */
final class LiveTarget {
  /** A history that could not be read is asked for again after so many steps. */
  private static final int HISTORY_RETRY_STEPS = 10;

  private static final Duration FORGOTTEN_AFTER = Duration.ofDays(1);

  private final TargetSettings settings;
  private List<MetricQuery> queries;
  private final MetricSource source;
  private final ScalingCycle cycle;
  private final List<Learning> learning = new ArrayList<>();
  private final LeadTimes leadTimes;
  private final Contest contest = new Contest();
  private final Duration offset;
  private Instant nextTick;
  private Optional<Explanation> newest = Optional.empty();

  /** The history of one metric that is being read. */
  private record Learning(
      int metric, Instant askAgain, CompletableFuture<HistoryReading> history) {}

  /**
   * A target that has seen nothing; it begins to read its history.
   *
   * @param fits runs the fits of models
   * @param offset after the end of a step at which to tick, so that not all targets do at once
   */
  LiveTarget(
      TargetSettings settings,
      List<MetricQuery> queries,
      MetricSource source,
      Executor fits,
      LeadTimes leadTimes,
      Duration offset,
      Instant now) {
    this.settings = settings;
    this.queries = List.copyOf(queries);
    this.source = source;
    this.leadTimes = leadTimes;
    this.offset = offset;
    var lead = leadTimes.estimate(settings.hpa(), 1, settings.forecast().step());
    this.cycle = new ScalingCycle(settings, lead, stepBegin(now), fits);
    this.nextTick = now;
    for (int metric = 0; metric < queries.size(); metric++) {
      learning.add(ask(metric, now));
    }
  }

  /** Whether its forecasters are those for these settings and queries. */
  boolean isFor(TargetSettings otherSettings, List<MetricQuery> otherQueries) {
    return settings.equals(otherSettings)
        && queries.size() == otherQueries.size()
        && IntStream.range(0, queries.size())
            .allMatch(i -> queries.get(i).hasSameAnswerAs(otherQueries.get(i)));
  }

  /** From now on with these queries, whose credentials may be others. */
  void ask(List<MetricQuery> sameQueries) {
    queries = List.copyOf(sameQueries);
  }

  /** Whether it was left to another replica so long ago that its forecasters know too little. */
  boolean isForgotten(Instant now) {
    return nextTick.plus(FORGOTTEN_AFTER).isBefore(now);
  }

  Contest contest() {
    return contest;
  }

  boolean isDue(Instant now) {
    return !now.isBefore(nextTick);
  }

  Duration untilNext(Instant now) {
    return Duration.between(now, nextTick);
  }

  /** Reads what is new and decides. */
  CycleResult tick(
      Instant now, ScaleTargets.Found workload, List<Pod> pods, Optional<HpaState> hpa) {
    learn(now);
    var readings = read(now);
    leadTimes.observe(pods, now);
    var state =
        new ReplicaState(
            workload.wanted(),
            PodTimes.serving(pods),
            leadTimes.estimate(settings.hpa(), workload.wanted(), settings.forecast().step()),
            hpa);
    var result = cycle.tick(now, readings, state);
    result
        .desiredReplicas()
        .ifPresent(desired -> leadTimes.decided(desired > workload.wanted(), now));
    nextTick = stepBegin(now).plus(settings.forecast().step()).plus(offset);
    newest = result.explanation();
    return result;
  }

  /** The decision of the last tick, if it made one, with what the HPA has made of it by now. */
  Optional<Explanation> look(Optional<HpaState> hpa) {
    newest = newest.map(decision -> decision.seenBy(settings.hpa(), hpa));
    return newest;
  }

  private List<Reading> read(Instant now) {
    var futures = new ArrayList<CompletableFuture<Reading>>();
    for (int metric = 0; metric < queries.size(); metric++) {
      futures.add(source.read(queries.get(metric), cycle.observedUntil(metric), now));
    }
    return futures.stream().map(CompletableFuture::join).toList();
  }

  /** Takes in histories that have arrived; those that did not are asked for again later. */
  private void learn(Instant now) {
    for (int i = learning.size() - 1; i >= 0; i--) {
      var waiting = learning.get(i);
      if (!waiting.history().isDone()) {
        continue;
      }
      switch (waiting.history().join()) {
        case HistoryReading.Found(var series) -> {
          cycle.learn(waiting.metric(), series);
          learning.remove(i);
        }
        case HistoryReading.NotFound _ -> {
          if (!now.isBefore(waiting.askAgain())) {
            learning.set(i, ask(waiting.metric(), now));
          }
        }
      }
    }
  }

  private Learning ask(int metric, Instant now) {
    var forecast = settings.forecast();
    var to = stepBegin(now);
    var from = to.minus(forecast.remember());
    return new Learning(
        metric,
        now.plus(forecast.step().multipliedBy(HISTORY_RETRY_STEPS)),
        source.history(queries.get(metric), from, to));
  }

  private Instant stepBegin(Instant time) {
    long step = settings.forecast().step().toMillis();
    return Instant.ofEpochMilli(Math.floorDiv(time.toEpochMilli(), step) * step);
  }
}
