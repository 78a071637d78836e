package io.prescale.controller.operator.status;

import io.prescale.controller.api.v1alpha1.BreakerState;
import io.prescale.controller.api.v1alpha1.BreakerStatus;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.DecisionSummary;
import io.prescale.controller.api.v1alpha1.LeadTimeStatus;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.RolloutStatus;
import io.prescale.controller.api.v1alpha1.ScaleInReason;
import io.prescale.controller.api.v1alpha1.ScaleTargetRef;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a status that is news to a person or to another leader: replicas, decisions, states,
 * and what was learned. The rest follows the load, and differs with every tick.
 */
public record StatusNews(
    @Nullable Long observedGeneration,
    @Nullable Mode mode,
    @Nullable String target,
    @Nullable Integer currentReplicas,
    @Nullable Integer readyReplicas,
    @Nullable Integer unschedulableReplicas,
    @Nullable Integer desiredReplicas,
    @Nullable LeadTimeStatus leadTime,
    List<DecisionSummary> decisions,
    List<Metric> metrics,
    List<Condition> conditions,
    Optional<ScaleIn> scaleIn,
    @Nullable String cardsPerReplica,
    @Nullable RolloutStatus rollout) {

  record Metric(String name, Optional<BreakerState> breaker, boolean isServed, boolean isMissing) {}

  record Condition(ConditionType type, ConditionStatus status, ConditionReason reason) {}

  record ScaleIn(ScaleInReason reason, @Nullable ScaleTargetRef marked) {}

  /** Whether a status says news; always when there was none. */
  public static boolean between(@Nullable PredictiveHPAStatus before, PredictiveHPAStatus now) {
    return before == null || !of(before).equals(of(now));
  }

  /** Whether news may wait. Marked pods are found again only by the status that names them. */
  public static boolean mayWait(@Nullable PredictiveHPAStatus before, PredictiveHPAStatus now) {
    var marked = scaleIn(now).map(ScaleIn::marked);
    return Optional.ofNullable(before)
        .flatMap(StatusNews::scaleIn)
        .map(ScaleIn::marked)
        .equals(marked);
  }

  private static StatusNews of(PredictiveHPAStatus status) {
    return new StatusNews(
        status.observedGeneration(),
        status.mode(),
        status.target(),
        status.currentReplicas(),
        status.readyReplicas(),
        status.unschedulableReplicas(),
        status.desiredReplicas(),
        status.leadTime(),
        status.decisions(),
        status.metrics().stream().map(StatusNews::metric).toList(),
        status.conditions().stream().map(StatusNews::condition).toList(),
        scaleIn(status),
        status.cardsPerReplica(),
        status.rollout());
  }

  private static Optional<ScaleIn> scaleIn(PredictiveHPAStatus status) {
    return Optional.ofNullable(status.scaleIn())
        .map(each -> new ScaleIn(each.reason(), each.marked()));
  }

  private static Condition condition(StatusCondition condition) {
    return new Condition(condition.type(), condition.status(), condition.reason());
  }

  private static Metric metric(MetricStatus metric) {
    return new Metric(
        metric.name(),
        Optional.ofNullable(metric.breaker()).map(BreakerStatus::state),
        metric.served() != null,
        metric.lastError() != null);
  }
}
