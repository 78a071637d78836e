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

  record Condition(ConditionType type, ConditionStatus status, ConditionReason reason) {
    private Condition withoutServer() {
      return reason == ConditionReason.ServerUnreachable
          ? new Condition(type, ConditionStatus.True, ConditionReason.MetricsRead)
          : this;
    }
  }

  record ScaleIn(ScaleInReason reason, @Nullable ScaleTargetRef marked) {}

  /** Whether a status says news; always when there was none. */
  public static boolean between(@Nullable PredictiveHPAStatus before, PredictiveHPAStatus now) {
    return before == null || !of(before).equals(of(now));
  }

  /**
   * Whether all that a status says is news of a server that fails, or answers again: replicas serve
   * by the values that they have, whatever the status says.
   */
  public static boolean isOnlyOfServer(
      @Nullable PredictiveHPAStatus before, PredictiveHPAStatus now) {
    return before != null && of(before).withoutServer().equals(of(now).withoutServer());
  }

  private StatusNews withoutServer() {
    return new StatusNews(
        observedGeneration,
        mode,
        target,
        currentReplicas,
        readyReplicas,
        unschedulableReplicas,
        desiredReplicas,
        leadTime,
        decisions,
        metrics.stream()
            .map(it -> new Metric(it.name(), it.breaker(), it.isServed(), false))
            .toList(),
        conditions.stream().map(Condition::withoutServer).toList(),
        scaleIn,
        cardsPerReplica,
        rollout);
  }

  private static StatusNews of(PredictiveHPAStatus it) {
    return new StatusNews(
        it.observedGeneration(),
        it.mode(),
        it.target(),
        it.currentReplicas(),
        it.readyReplicas(),
        it.unschedulableReplicas(),
        it.desiredReplicas(),
        it.leadTime(),
        it.decisions(),
        it.metrics().stream().map(StatusNews::of).toList(),
        it.conditions().stream()
            .map(each -> new Condition(each.type(), each.status(), each.reason()))
            .toList(),
        Optional.ofNullable(it.scaleIn()).map(each -> new ScaleIn(each.reason(), each.marked())),
        it.cardsPerReplica(),
        it.rollout());
  }

  private static Metric of(MetricStatus it) {
    return new Metric(
        it.name(),
        Optional.ofNullable(it.breaker()).map(BreakerStatus::state),
        it.served() != null,
        it.lastError() != null);
  }
}
