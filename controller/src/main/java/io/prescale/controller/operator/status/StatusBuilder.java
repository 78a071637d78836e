package io.prescale.controller.operator.status;

import io.prescale.controller.api.v1alpha1.Amount;
import io.prescale.controller.api.v1alpha1.DecisionStatus;
import io.prescale.controller.api.v1alpha1.DecisionSummary;
import io.prescale.controller.api.v1alpha1.MetricEntry;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPASpec;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.RolloutStatus;
import io.prescale.controller.api.v1alpha1.Shortened;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.autoscaling.CycleResult;
import io.prescale.controller.autoscaling.Explanation;
import io.prescale.controller.autoscaling.MetricResult;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.ServedValue;
import io.prescale.controller.operator.status.Conditions.Finding;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes a status of bounded size from the result of a tick. */
public final class StatusBuilder {
  private static final int LONGEST_MESSAGE = 512;

  private final PredictiveHPA resource;
  private final Instant now;

  public StatusBuilder(PredictiveHPA resource, Instant now) {
    this.resource = resource;
    this.now = now;
  }

  /**
   * The replicas of a workload.
   *
   * @param current that its scale has
   * @param ready with a ready pod; empty when the workload does not say which pods are its own
   * @param unschedulable with a pod for which the scheduler has found no node; likewise
   * @param hasPods whether it has pods of which {@code cardsEach} could be read
   * @param cardsEach that a replica asks for; empty where its pods do not say, as with MIG
   * @param rollout the newest revision of its pods; null while none is known
   */
  public record Replicas(
      int current,
      OptionalInt ready,
      OptionalInt unschedulable,
      boolean hasPods,
      OptionalDouble cardsEach,
      @Nullable RolloutStatus rollout) {

    /** Replicas whose pods are not known. */
    public static Replicas withoutPods(int current) {
      return new Replicas(
          current, OptionalInt.empty(), OptionalInt.empty(), false, OptionalDouble.empty(), null);
    }
  }

  /** The status after a tick. */
  public PredictiveHPAStatus after(CycleResult result, Replicas replicas, List<Finding> findings) {
    return new PredictiveHPAStatus(
        resource.getMetadata().getGeneration(),
        resource.getSpec().mode(),
        resource.getSpec().scaleTargetRef().display(),
        replicas.current(),
        orNull(replicas.ready()),
        orNull(replicas.unschedulable()),
        result.desiredReplicas().isPresent()
            ? orNull(result.desiredReplicas())
            : before().map(PredictiveHPAStatus::desiredReplicas).orElse(null),
        skill(result),
        StatusParts.lead(result.lead()),
        result.metrics().stream().map(this::metric).toList(),
        lastDecision(result.explanation()),
        decisions(result.explanation(), replicas.current()),
        conditions(findings),
        null,
        null,
        cardsPerReplica(replicas),
        replicas.rollout());
  }

  /** The status while there are no ticks: as before, but for these conditions and what waits. */
  public PredictiveHPAStatus with(List<Finding> findings) {
    return with(Optional.empty(), findings, null);
  }

  /**
   * The status between ticks: as before, but for these conditions and the newest decision as the
   * HPA has seen it by now.
   */
  public PredictiveHPAStatus with(Optional<Explanation> newest, List<Finding> findings) {
    var waiting = before().map(PredictiveHPAStatus::unschedulableReplicas).orElse(null);
    return with(newest, findings, waiting);
  }

  private PredictiveHPAStatus with(
      Optional<Explanation> newest, List<Finding> findings, @Nullable Integer unschedulable) {
    var old = before();
    var spec = Optional.ofNullable(resource.getSpec()); // none if it cannot be read
    Integer current = old.map(PredictiveHPAStatus::currentReplicas).orElse(null);
    return new PredictiveHPAStatus(
        resource.getMetadata().getGeneration(),
        spec.map(PredictiveHPASpec::mode).or(() -> old.map(PredictiveHPAStatus::mode)).orElse(null),
        spec.map(it -> it.scaleTargetRef().display())
            .or(() -> old.map(PredictiveHPAStatus::target))
            .orElse(null),
        current,
        old.map(PredictiveHPAStatus::readyReplicas).orElse(null),
        unschedulable,
        old.map(PredictiveHPAStatus::desiredReplicas).orElse(null),
        old.map(PredictiveHPAStatus::skill).orElse(null),
        old.map(PredictiveHPAStatus::leadTime).orElse(null),
        old.map(PredictiveHPAStatus::metrics).orElse(List.of()),
        lastDecision(newest),
        decisions(newest, current),
        conditions(findings),
        null,
        old.map(PredictiveHPAStatus::scaleIn).orElse(null),
        old.map(PredictiveHPAStatus::cardsPerReplica).orElse(null),
        old.map(PredictiveHPAStatus::rollout).orElse(null));
  }

  /** While there are no pods, as at zero, the next ones are taken to ask for what the last did. */
  private @Nullable String cardsPerReplica(Replicas replicas) {
    return replicas.hasPods()
        ? Amount.textOrNull(replicas.cardsEach())
        : before().map(PredictiveHPAStatus::cardsPerReplica).orElse(null);
  }

  private static @Nullable Integer orNull(OptionalInt count) {
    return count.isPresent() ? (Integer) count.getAsInt() : null;
  }

  private Optional<PredictiveHPAStatus> before() {
    return Optional.ofNullable(resource.getStatus());
  }

  /** New findings replace those of their type; others stay. */
  private List<StatusCondition> conditions(List<Finding> findings) {
    var old = before().map(PredictiveHPAStatus::conditions).orElse(List.of());
    var kept =
        old.stream()
            .filter(
                condition ->
                    findings.stream().noneMatch(finding -> finding.type() == condition.type()));
    var found =
        findings.stream()
            .map(
                finding ->
                    Conditions.dated(finding, old, resource.getMetadata().getGeneration(), now));
    return Stream.concat(found, kept).sorted((a, b) -> a.type().compareTo(b.type())).toList();
  }

  private static @Nullable Double skill(CycleResult result) {
    return result.metrics().stream()
        .map(metric -> metric.trust().skill())
        .filter(OptionalDouble::isPresent)
        .map(OptionalDouble::getAsDouble)
        .min(Double::compare)
        .map(StatusParts::rounded)
        .orElse(null);
  }

  private MetricStatus metric(MetricResult metric) {
    var old = oldMetric(metric.name());
    var served = metric.served().filter(value -> !isOlder(value, old));
    return new MetricStatus(
        metric.name(),
        averageValue(metric.name()),
        Amount.textOrNull(metric.observed()),
        metric.forecast().map(forecast -> Amount.textOrNull(forecast.p95())).orElse(null),
        newer(served, value -> Amount.text(value.value()), old, MetricStatus::served),
        newer(served, ServedValue::computedAt, old, MetricStatus::servedAt),
        newer(served, value -> value.freshFor().toSeconds(), old, MetricStatus::freshSeconds),
        newer(served, value -> value.timeToLive().toSeconds(), old, MetricStatus::ttlSeconds),
        newer(served, value -> Amount.text(value.floor()), old, MetricStatus::floor),
        metric.forecast().map(StatusParts::quantiles).orElse(null),
        served.map(StatusParts::plan).or(() -> old.map(MetricStatus::plan)).orElse(List.of()),
        StatusParts.roundedOrNull(metric.trust().skill()),
        StatusParts.roundedOrNull(metric.trust().error()),
        StatusParts.coverage(metric.trust()),
        StatusParts.breaker(metric.trust()),
        metric.modelFittedAt().orElse(null),
        metric.forecast().map(forecast -> StatusParts.parts(forecast.parts())).orElse(null),
        metric
            .missing()
            .map(Reading.Missing::message)
            .map(text -> Shortened.to(LONGEST_MESSAGE, text))
            .orElse(null));
  }

  /** Whether another replica has led since, and has served a newer value. */
  private static boolean isOlder(ServedValue value, Optional<MetricStatus> old) {
    return old.map(MetricStatus::servedAt)
        .filter(servedAt -> value.computedAt().isBefore(servedAt))
        .isPresent();
  }

  /** What was served, or what the status says of a value that another process served. */
  private static <T> @Nullable T newer(
      Optional<ServedValue> served,
      Function<ServedValue, T> part,
      Optional<MetricStatus> old,
      Function<MetricStatus, @Nullable T> oldPart) {
    return served.map(part).or(() -> old.map(oldPart)).orElse(null);
  }

  private Optional<MetricStatus> oldMetric(String name) {
    return before().map(PredictiveHPAStatus::metrics).orElse(List.of()).stream()
        .filter(metric -> metric.name().equals(name))
        .findFirst();
  }

  private @Nullable String averageValue(String name) {
    return resource.getSpec().forecastMetrics().stream()
        .filter(metric -> metric.name().equals(name))
        .findFirst()
        .map(MetricEntry::averageValue)
        .map(Objects::toString)
        .orElse(null);
  }

  private @Nullable DecisionStatus lastDecision(Optional<Explanation> newest) {
    return newest
        .map(Decisions::newest)
        .or(() -> before().map(PredictiveHPAStatus::lastDecision))
        .orElse(null);
  }

  private List<DecisionSummary> decisions(
      Optional<Explanation> newest, @Nullable Integer currentReplicas) {
    var old = before().map(PredictiveHPAStatus::decisions).orElse(List.of());
    return newest.map(it -> Decisions.after(old, it, currentReplicas)).orElse(old);
  }
}
