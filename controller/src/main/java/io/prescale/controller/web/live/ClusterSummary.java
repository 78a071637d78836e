package io.prescale.controller.web.live;

import static java.util.stream.Collectors.toMap;

import io.prescale.adapter.Answer;
import io.prescale.adapter.MetricReadModel;
import io.prescale.controller.api.v1alpha1.Amount;
import io.prescale.controller.api.v1alpha1.BreakerState;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.CoverageStatus;
import io.prescale.controller.api.v1alpha1.MetricEntry;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.autoscaling.Explanation;
import io.prescale.controller.demand.preset.Presets;
import io.prescale.controller.operator.SpecReader;
import io.prescale.controller.serving.StatusProjection;
import io.prescale.controller.web.ServedNow;
import io.prescale.controller.web.WorkloadSummary;
import io.prescale.controller.web.WorkloadSummary.Scores;
import io.prescale.controller.web.WorkloadSummary.State;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Summarizes the current state of a workload. */
final class ClusterSummary {
  private static final double SECONDS_AN_HOUR = 3600;

  private ClusterSummary() {}

  static WorkloadSummary of(WatchedWorkload watched, MetricReadModel model, Instant now) {
    var resource = watched.newest();
    var status = Optional.ofNullable(resource.getStatus());
    var newest = watched.newestMinute();
    var why = newest.map(WatchedMinute::why);
    var metric =
        status.flatMap(
            it -> DecisionFromStatus.metric(it, why.map(Explanation::metric).orElse(null)));
    var mood = mood(resource.unreadable(), status, metric);
    return new WorkloadSummary(
        resource.qualifiedName(),
        watched.isActive(),
        status.flatMap(ClusterSummary::whyNotScaling),
        metric.map(MetricStatus::name).orElse(""),
        status.map(PredictiveHPAStatus::metrics).orElse(List.of()).stream()
            .map(MetricStatus::name)
            .toList(),
        units(resource),
        amount(metric, MetricStatus::averageValue),
        metric.map(DecisionFromStatus::observed).orElse(OptionalDouble.empty()),
        metric
            .map(it -> served(resource, it.name(), model, now))
            .orElse(ServedNow.of(new Answer.Absent("no value has been computed yet"))),
        count(status.map(PredictiveHPAStatus::desiredReplicas)),
        newest.map(WatchedMinute::ready).orElse(OptionalInt.empty()),
        status.map(PredictiveHPAStatus::unschedulableReplicas).orElse(0),
        why.map(it -> OptionalLong.of(it.lead().total().toSeconds())).orElse(OptionalLong.empty()),
        mood.state(),
        mood.note(),
        metric.map(ClusterSummary::scores).orElse(Scores.NONE),
        SpecReader.budget(resource.getSpec() == null ? null : resource.getSpec().risk()),
        watched.since(),
        seconds(watched, WatchedMinute::isShort),
        watched.seconds(WatchedMinute::current) / SECONDS_AN_HOUR,
        reactive(watched, newest));
  }

  private static Map<String, String> units(PredictiveHPA resource) {
    return resource.getSpec() == null
        ? Map.of()
        : resource.getSpec().forecastMetrics().stream()
            .filter(it -> Presets.unit(it).isPresent())
            .collect(toMap(MetricEntry::name, it -> Presets.unit(it).orElseThrow()));
  }

  private static ServedNow served(
      PredictiveHPA resource, String metric, MetricReadModel model, Instant now) {
    var selector = StatusProjection.selector(resource);
    return ServedNow.to(model, StatusProjection.key(resource, metric), selector, now);
  }

  private static OptionalInt count(Optional<Integer> number) {
    return number.map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  private static OptionalDouble amount(
      Optional<MetricStatus> metric, Function<MetricStatus, @Nullable String> text) {
    return metric.map(it -> Amount.value(text.apply(it))).orElse(OptionalDouble.empty());
  }

  private static Scores scores(MetricStatus metric) {
    var coverage = Optional.ofNullable(metric.coverage());
    return new Scores(
        share(metric.error()),
        share(coverage.map(CoverageStatus::p90).orElse(null)),
        share(coverage.map(CoverageStatus::p95).orElse(null)));
  }

  private static OptionalDouble share(@Nullable Double number) {
    return number == null || !Double.isFinite(number)
        ? OptionalDouble.empty()
        : OptionalDouble.of(number);
  }

  private static WorkloadSummary.Reactive reactive(
      WatchedWorkload watched, Optional<WatchedMinute> newest) {
    return new WorkloadSummary.Reactive(
        newest.map(WatchedMinute::reactive).orElse(0),
        newest.map(WatchedMinute::reactiveReady).orElse(0),
        seconds(watched, WatchedMinute::isReactiveShort),
        watched.seconds(WatchedMinute::reactive) / SECONDS_AN_HOUR);
  }

  private static long seconds(WatchedWorkload watched, Predicate<WatchedMinute> isShort) {
    return (long) watched.seconds(minute -> isShort.test(minute) ? 1 : 0);
  }

  private record Mood(State state, String note) {}

  /** The first problem, from the outside in, or else the state of the forecasts. */
  private static Mood mood(
      Optional<String> unreadable,
      Optional<PredictiveHPAStatus> status,
      Optional<MetricStatus> metric) {
    var broken = unreadable.or(() -> status.flatMap(ClusterSummary::whyNotReady));
    if (broken.isPresent()) {
      return new Mood(State.BROKEN, broken.get());
    }
    var blind = metric.map(MetricStatus::lastError);
    if (blind.isPresent()) {
      return new Mood(State.BLIND, blind.get());
    }
    return metric
        .map(MetricStatus::breaker)
        .map(it -> new Mood(state(it.state()), Objects.requireNonNullElse(it.reason(), "")))
        .orElse(new Mood(State.LEARNING, "Nothing has been decided yet."));
  }

  private static Optional<String> whyNotReady(PredictiveHPAStatus status) {
    return wrong(status, ConditionType.Ready).map(StatusCondition::message);
  }

  private static Optional<String> whyNotScaling(PredictiveHPAStatus status) {
    return wrong(status, ConditionType.ScalingActive)
        .filter(WatchedWorkload::isIncident)
        .map(StatusCondition::message);
  }

  private static Optional<StatusCondition> wrong(PredictiveHPAStatus status, ConditionType type) {
    return status.conditions().stream()
        .filter(it -> it.type() == type && it.status() == ConditionStatus.False)
        .findFirst();
  }

  private static State state(BreakerState state) {
    return switch (state) {
      case Learning -> State.LEARNING;
      case Closed -> State.TRUSTED;
      case Open -> State.DISTRUSTED;
    };
  }
}
